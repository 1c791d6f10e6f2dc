package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestToolVersion(t *testing.T) {
	of := func(version string) *debug.BuildInfo { return &debug.BuildInfo{Main: debug.Module{Version: version}} }
	for _, c := range []struct {
		stamp string
		info  *debug.BuildInfo
		want  string
	}{
		{"v1.2.3", of("v1.2.4"), "v1.2.3"},
		{"", of("v1.2.3"), "v1.2.3"},
		{"", of("v0.0.0-20261101120000-0123456789ab"), "v0.0.0-20261101120000-0123456789ab"},
		{"", of("(devel)"), "v0.0.0-dev"},
		{"", of(""), "v0.0.0-dev"},
		{"", nil, "v0.0.0-dev"},
	} {
		if got := toolVersion(c.stamp, c.info); got != c.want {
			t.Errorf("stamp %q, module %v: %s, want %s", c.stamp, c.info, got, c.want)
		}
	}
}

// TestStampedBuild builds the program as a release does, under another name,
// and asks for its version: the stamp reaches it, and it takes the name that it
// is called by.
func TestStampedBuild(t *testing.T) {
	out, err := exec.Command(build(t, "kubectl-other_name"), "version", "--client").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "kubectl-other-name v9.8.7\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// build makes the program, stamped with v9.8.7, and returns its path.
func build(t *testing.T, name string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), name)
	build := exec.Command("go", "build", "-ldflags", "-X main.version=v9.8.7", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

func TestCalled(t *testing.T) {
	for base, want := range map[string]string{
		"kubectl-ctrl": "kubectl ctrl", "kubectl-ctrl.exe": "kubectl ctrl",
		"kubectl-controller_plan": "kubectl controller-plan", "kc": "kc",
	} {
		if got := called(base); got != want {
			t.Errorf("%s is %q, want %q", base, got, want)
		}
	}
}
