package test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// modfile is what "go mod edit -json" prints of a go.mod.
type modfile struct {
	Go      string
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Tool    []struct{ Path string }
	Replace []struct{}
	Exclude []struct{}
}

// TestEveryDirectDependencyIsJustified: a module that a go.mod names itself has a
// line in docs/dependencies.md, and no other has.
func TestEveryDirectDependencyIsJustified(t *testing.T) {
	required := map[string]string{}
	for _, path := range modfiles(t) {
		for _, module := range direct(parseModfile(t, path)) {
			required[module] = path
		}
	}
	justified := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\S+\.\S+) +\| +[^ |]`).FindAllStringSubmatch(read(t, "../docs/dependencies.md"), -1) {
		justified[m[1]] = true
		if required[m[1]] == "" {
			t.Errorf("docs/dependencies.md: no go.mod requires %s any more: delete its line", m[1])
		}
	}
	for module, path := range required {
		if !justified[module] {
			t.Errorf("%s requires %s: say what for in docs/dependencies.md, or do without it", path, module)
		}
	}
}

// TestGoInstallIsPossible: go install PACKAGE@VERSION refuses a module that
// replaces or excludes others.
func TestGoInstallIsPossible(t *testing.T) {
	if m := parseModfile(t, "../go.mod"); len(m.Replace)+len(m.Exclude) > 0 {
		t.Errorf("go.mod has %d replace and %d exclude lines", len(m.Replace), len(m.Exclude))
	}
}

// direct are the modules of others that a go.mod requires by itself. A tool's is
// the required one whose path the tool's begins with.
func direct(m modfile) []string {
	var all []string
	for _, r := range m.Require {
		if !strings.HasPrefix(r.Path, module) && (!r.Indirect || holdsTool(m, r.Path)) {
			all = append(all, r.Path)
		}
	}
	return all
}

func holdsTool(m modfile, path string) bool {
	for _, tool := range m.Tool {
		if strings.HasPrefix(tool.Path+"/", path+"/") {
			return true
		}
	}
	return false
}

func parseModfile(t *testing.T, path string) (m modfile) {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", path).Output()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return m
}

// modfiles are all go.mod files of the repository.
func modfiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../go.mod", "*/go.mod", "*/*/go.mod", "*/*/*/go.mod"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 10 {
		t.Fatalf("%d go.mod files", len(all))
	}
	return all
}
