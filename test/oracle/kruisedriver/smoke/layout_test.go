package smoke

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExpectationDiffs compares the driver's copy of upstream's struct with the
// source of every version: a linknamed function returns it, and neither
// compiler nor linker would notice another layout.
func TestExpectationDiffs(t *testing.T) {
	copied := fields(t, filepath.Join("..", "upstream.go"))
	modules, err := filepath.Glob(filepath.Join("..", "..", "kruise-*"))
	if err != nil || len(modules) == 0 {
		t.Fatalf("no oracle beside the driver (%v)", err)
	}
	for _, module := range modules {
		source := filepath.Join(kruiseOf(t, module), "pkg", "controller", "cloneset", "sync", "cloneset_sync_utils.go")
		if upstream := fields(t, source); !slices.Equal(copied, upstream) {
			t.Errorf("%s: the driver has %v, upstream %v", filepath.Base(module), copied, upstream)
		}
	}
}

// kruiseOf is the folder of the kruise that a module requires.
func kruiseOf(t *testing.T, module string) string {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/openkruise/kruise")
	cmd.Dir = module
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

// fields lists "name type" of the struct expectationDiffs in a file.
func fields(t *testing.T, path string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "expectationDiffs" {
			return true
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			for _, name := range field.Names {
				all = append(all, name.Name+" "+types.ExprString(field.Type))
			}
		}
		return false
	})
	if len(all) == 0 {
		t.Fatalf("no struct expectationDiffs in %s", path)
	}
	return all
}
