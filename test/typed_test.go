package test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// typed is a package of ours with the types of its expressions, without tests.
type typed struct {
	path  string
	files map[string]*ast.File
	fset  *token.FileSet
	info  *types.Info
	types *types.Package
}

// typedPackages returns the packages of some patterns, below the root of the module.
func typedPackages(t *testing.T, patterns ...string) []typed {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,DepOnly"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	type entry struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		DepOnly                 bool
	}
	var asked []entry
	exports := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var e entry
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[e.ImportPath] = e.Export
		if !e.DepOnly {
			asked = append(asked, e)
		}
	}
	fset := token.NewFileSet()
	compiled := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	var all []typed
	for _, e := range asked {
		p := typed{path: strings.TrimPrefix(e.ImportPath, module), files: map[string]*ast.File{}, fset: fset, info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		}}
		var files []*ast.File
		for _, name := range e.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(e.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files, p.files[p.path+"/"+name] = append(files, f), f
		}
		if p.types, err = (&types.Config{Importer: compiled}).Check(e.ImportPath, fset, files, p.info); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// ours are the packages of the program.
var ours = sync.OnceValue(func() func(*testing.T) []typed {
	var all []typed
	return func(t *testing.T) []typed {
		t.Helper()
		if all == nil {
			all = typedPackages(t, "./pkg/...", "./plugins/...")
		}
		return all
	}
})()
