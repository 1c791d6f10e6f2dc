package krew

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// world is a user's machine: an empty home, kubectl, krew, and a release.
type world struct {
	root string // of the repository
	bin  string // kubectl and kubectl-krew
	krew string // krew and its checker of manifests
	dist string // the release
	home string
}

func newWorld(t *testing.T) world {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	w := world{root: root, bin: t.TempDir(), home: t.TempDir(), krew: filepath.Join(root, ".cache", "krew", "bin")}
	w.must(t, "test/krew/build.sh", w.krew)
	tools := filepath.Join(root, ".cache", "controlplane", "bin")
	w.must(t, "test/controlplane/build.sh", tools, "kubectl")
	if err := os.Symlink(filepath.Join(tools, "kubectl"), filepath.Join(w.bin, "kubectl")); err != nil {
		t.Fatal(err)
	}
	w.dist = w.release(t)
	w.offlineKrew(t)
	return w
}

// must runs a tool of ours as a developer does.
func (w world) must(t *testing.T, name string, args ...string) {
	t.Helper()
	if strings.Contains(name, "/") {
		name = filepath.Join(w.root, name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = w.root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// release is the folder of the release under test.
func (w world) release(t *testing.T) string {
	t.Helper()
	if dist := os.Getenv("DIST"); dist != "" {
		return dist
	}
	dist := t.TempDir()
	w.must(t, "go", "run", "./krew", "-version", "v0.0.0-test", "-targets", "host", "-out", dist)
	return dist
}

// offlineKrew is the kubectl-krew that krew's checker calls for each platform.
// It takes the platform's archive from the release, which nobody published yet.
func (w world) offlineKrew(t *testing.T) {
	t.Helper()
	script := "#!/bin/sh\nexec " + filepath.Join(w.krew, "krew") +
		` "$@" --archive "` + w.dist + `"/*_"${KREW_OS}_$KREW_ARCH".[tz]*` + "\n"
	if err := os.WriteFile(filepath.Join(w.bin, "kubectl-krew"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// run runs a command as the user, in the repository, and returns its standard
// output. A download would fail: no proxy listens there.
func (w world) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	path := []string{w.bin, filepath.Join(w.home, ".krew", "bin"), filepath.Join(w.home, "go", "bin"), os.Getenv("PATH")}
	env := append(os.Environ(), "HOME="+w.home, "KREW_ROOT="+filepath.Join(w.home, ".krew"),
		"PATH="+strings.Join(path, string(filepath.ListSeparator)),
		"KUBECONFIG="+filepath.Join(w.home, "none"),
		"HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1", "NO_PROXY=")
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.root, env
	out, err := cmd.Output()
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			out = append(out, failed.Stderr...)
		}
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

func (w world) kubectl(t *testing.T, args ...string) string {
	t.Helper()
	return w.run(t, filepath.Join(w.bin, "kubectl"), args...)
}

// install has krew install the release's archive for this machine.
func (w world) install(t *testing.T) {
	t.Helper()
	w.run(t, filepath.Join(w.krew, "krew"), "install", "--manifest", w.manifestFile(t), "--archive", w.only(t, hostArchive))
}

var (
	hostArchive = "*_" + runtime.GOOS + "_" + runtime.GOARCH + ".[tz]*"
	hostSBOM    = "*_" + runtime.GOOS + "_" + runtime.GOARCH + ".spdx.json"
)

func (w world) manifestFile(t *testing.T) string {
	t.Helper()
	return w.only(t, "*.yaml")
}

// only is the one file of the release with such a name.
func (w world) only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(w.dist, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s in the release: %v, want one (%v)", pattern, found, err)
	}
	return found[0]
}

// manifest is what the tests want to know of a manifest.
type manifest struct {
	Metadata struct{ Name string }
	Spec     struct{ Version string }
}

func (w world) manifest(t *testing.T) manifest {
	t.Helper()
	var m manifest
	if err := yaml.Unmarshal(read(t, w.manifestFile(t)), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// elsewhere is a copy of the sources that the release is built from.
func (w world) elsewhere(t *testing.T) world {
	t.Helper()
	w.root = copyTree(t, w.root, "LICENSE", "THIRD-PARTY-LICENSES", "docs/licences.md", "go.mod", "go.sum", "cmd", "krew", "pkg", "plugins")
	return w
}

func copyTree(t *testing.T, root string, names ...string) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(root, name), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			if e.IsDir() {
				return nil
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(to, relative)), 0o755); err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(to, relative), data, 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
