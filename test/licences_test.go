package test

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryLinkedModuleHasALicence builds the program, and asks the binary what
// is in it: each module stands with its version in docs/licences.md, and its
// terms in THIRD-PARTY-LICENSES.
func TestEveryLinkedModuleHasALicence(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "kubectl-ctrl")
	build := exec.Command("go", "build", "-o", bin, "../cmd/kubectl-ctrl")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := buildinfo.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	page, texts := read(t, "../docs/licences.md"), read(t, "../THIRD-PARTY-LICENSES")
	if len(info.Deps) == 0 {
		t.Error("the binary names no modules")
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if !strings.Contains(page, fmt.Sprintf("| %s | %s | ", m.Path, m.Version)) {
			t.Errorf("docs/licences.md lacks %s %s: run make docs", m.Path, m.Version)
		}
		if !strings.Contains(texts, fmt.Sprintf("\n%s@%s/", m.Path, m.Version)) {
			t.Errorf("THIRD-PARTY-LICENSES lacks %s %s: run make docs", m.Path, m.Version)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
