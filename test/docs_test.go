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
	cmd := exec.Command("go", "run", "./docs/generate", fresh)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
		if got, err := os.ReadFile(filepath.Join("..", "docs", name)); err != nil || string(got) != string(want) {
			t.Errorf("docs/%s is stale: run make docs", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
