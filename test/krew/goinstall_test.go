package krew

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const (
	modulePath = "github.com/kubectl-ctrl/kubectl-ctrl"
	released   = "v0.0.1-test"
)

// TestGoInstall installs the program as docs/install.md says, from a module proxy
// that has this source as a release, with an empty module cache. What is required
// comes from the downloads of the cache that the tests use.
func TestGoInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks every module that the program requires")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	gopath, proxy := t.TempDir(), t.TempDir()
	publish(t, root, filepath.Join(proxy, modulePath, "@v"))
	install := exec.Command("go", "install", modulePath+"/cmd/kubectl-ctrl@"+released)
	install.Dir = t.TempDir()
	install.Env = append(os.Environ(), "GOPATH="+gopath, "GOBIN=", "GOMODCACHE=", "GOWORK=off", "GOSUMDB=off", "GONOPROXY=none", "GONOSUMDB=", "GOPRIVATE=", "CGO_ENABLED=0",
		"GOFLAGS=-modcacherw -trimpath",
		"GOPROXY="+fileURL(proxy)+","+fileURL(filepath.Join(goEnv(t, "GOMODCACHE"), "cache", "download")))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", install, err, out)
	}
	binary := filepath.Join(gopath, "bin", "kubectl-ctrl")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	out, err := exec.Command(binary, "version", "--client").CombinedOutput()
	if err != nil || !strings.Contains(string(out), " "+released+"\n") {
		t.Errorf("version --client of what is installed: %v\n%s", err, out)
	}
}

// publish writes what a module proxy serves of a release (https://go.dev/ref/mod#goproxy-protocol).
func publish(t *testing.T, root, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(dir, released)
	write(t, filepath.Join(dir, "list"), []byte(released+"\n"))
	write(t, base+".mod", read(t, filepath.Join(root, "go.mod")))
	write(t, base+".info", fmt.Appendf(nil, `{"Version": %q, "Time": "2026-01-01T00:00:00Z"}`, released))
	f, err := os.Create(base + ".zip")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	w := zip.NewWriter(f)
	for _, path := range sources(t, root) {
		entry, err := w.Create(modulePath + "@" + released + "/" + filepath.ToSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(read(t, filepath.Join(root, path))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// sources are the files of the module: all of the repository but what is hidden,
// built, or of a module further down.
func sources(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if !e.IsDir() {
			if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
				all = append(all, name)
			}
			return nil
		}
		_, nested := os.Stat(filepath.Join(path, "go.mod"))
		if strings.HasPrefix(e.Name(), ".") || name == "bin" || name == "dist" || nested == nil {
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func fileURL(path string) string { return "file://" + filepath.ToSlash(path) }

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
