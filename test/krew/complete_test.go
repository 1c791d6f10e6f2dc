package krew

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// completes installs the completion shim by the lines of docs/install.md, and
// asks kubectl to complete, as a shell does.
func (w world) completes(t *testing.T) {
	t.Run("Krew", func(t *testing.T) {
		w.home = t.TempDir()
		w.install(t)
		w.run(t, "sh", "-c", w.documented(t, "cp ~/.krew/"))
		w.completesNames(t)
	})
	t.Run("GoInstall", func(t *testing.T) {
		w.home = t.TempDir()
		w.install(t)
		w.moveToGoBin(t)
		w.run(t, "sh", "-c", w.documented(t, "printf "))
		w.completesNames(t)
	})
}

// moveToGoBin leaves the machine as "go install" does: with a binary alone.
func (w world) moveToGoBin(t *testing.T) {
	t.Helper()
	dir := filepath.Join(w.home, "go", "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(w.binary(t))), read(t, w.binary(t)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.home, ".krew")); err != nil {
		t.Fatal(err)
	}
}

// documented is the line of shell in docs/install.md that begins like this.
func (w world) documented(t *testing.T, start string) string {
	t.Helper()
	for line := range strings.Lines(string(read(t, filepath.Join(w.root, "docs", "install.md")))) {
		if code, ok := strings.CutPrefix(line, "    "); ok && strings.HasPrefix(code, start) {
			return code
		}
	}
	t.Fatalf("docs/install.md has no line of code that begins with %q", start)
	return ""
}

func (w world) completesNames(t *testing.T) {
	t.Helper()
	got := w.kubectl(t, "__complete", w.manifest(t).Metadata.Name, "explain", "--from", "docs/examples/shop.yaml", "rs", "")
	lines := strings.Fields(got)
	if len(lines) < 2 || lines[len(lines)-1] != ":4" || !strings.Contains(got, "web-7b46c4b544\n") {
		t.Errorf("completion of explain rs:\n%s\nwant names, web-7b46c4b544 among them, then :4 (no file names)", got)
	}
}
