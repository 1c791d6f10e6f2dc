package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGeneratedDocsAreFresh generates docs into a scratch folder and compares.
func TestGeneratedDocsAreFresh(t *testing.T) {
	fresh := t.TempDir()
	generate(t, "./docs/generate", filepath.Join(fresh, "docs"))
	generate(t, "./docs/generate/licences", fresh)
	err := filepath.WalkDir(fresh, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(fresh, path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(filepath.Join("..", name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is stale: run make docs", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// generate runs a generator of documents.
func generate(t *testing.T, program, dir string) {
	t.Helper()
	cmd := exec.Command("go", "run", program, dir)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}
