package test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exportedAlone are exported names that only their own package uses, with the reason.
var exportedAlone = map[string]string{}

// TestExportedNamesAreUsed: an exported name is a promise to other packages. A function,
// method, type, constant or variable that none of them uses, tests included, is
// unexported. Exported stay the IDs of rules, which are documented, the values of a type
// of which some are used, and the types of exported fields, parameters and results.
func TestExportedNamesAreUsed(t *testing.T) {
	all := typedPackages(t, "./cmd/...", "./docs/generate/...", "./krew/...", "./pkg/...", "./plugins/...")
	used := usedElsewhere(all)
	inTests, called := usedInTests(t)
	found := map[string]bool{}
	for _, p := range all {
		if !strings.HasPrefix(p.path, "pkg/") && !strings.HasPrefix(p.path, "plugins/") {
			continue
		}
		shown := shownTypes(p)
		for id, obj := range p.info.Defs {
			name := nameOf(obj)
			if name == "" || used[name] || inTests[name] || isMethod(obj) && called[id.Name] || shown[obj] || isValue(obj, used, shown) || isMethodOfInterface(p, obj) {
				continue
			}
			found[name] = true
			if exportedAlone[name] == "" {
				t.Errorf("%s: nothing but its package uses %s: unexport it", p.fset.Position(id.Pos()), name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(exportedAlone)) {
		if !found[name] {
			t.Errorf("%s is no exception any more", name)
		}
	}
}

// nameOf identifies an exported object of a package or method; empty for all others.
func nameOf(obj types.Object) string {
	if obj == nil || !obj.Exported() || obj.Pkg() == nil {
		return ""
	}
	path := strings.TrimPrefix(obj.Pkg().Path(), module)
	if f, ok := obj.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			named := namedOf(recv.Type())
			if named == nil || !named.Obj().Exported() {
				return ""
			}
			return path + "." + named.Obj().Name() + "." + f.Name()
		}
	}
	if obj.Parent() != obj.Pkg().Scope() {
		return ""
	}
	return path + "." + obj.Name()
}

func namedOf(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// usedElsewhere are the names that another package than their own uses.
func usedElsewhere(all []typed) map[string]bool {
	used := map[string]bool{}
	for _, p := range all {
		for _, obj := range p.info.Uses {
			if f, ok := obj.(*types.Func); ok {
				obj = f.Origin()
			}
			if obj.Pkg() != nil && obj.Pkg() != p.types {
				used[nameOf(obj)] = true
			}
		}
	}
	return used
}

// usedInTests are the names that tests of other packages use, and names of methods that
// they or the templates of pages may call.
func usedInTests(t *testing.T) (names, methods map[string]bool) {
	names, methods = map[string]bool{}, map[string]bool{}
	outside := regexp.MustCompile(`(?m)^package \w+_test$`)
	called := regexp.MustCompile(`\.([A-Z]\w*)`)
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && len(e.Name()) > 1 && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case !isTest(path):
			return nil
		}
		text, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			return err
		}
		for _, m := range called.FindAllSubmatch(text, -1) {
			if !strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "test/") || outside.Match(text) {
				methods[string(m[1])] = true
			}
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err == nil {
			selections(f, func(pkg, name string) { names[pkg+"."+name] = true })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, methods
}

// isTest reports whether a file is a test, code of tests, an example or a template.
func isTest(path string) bool {
	switch filepath.Ext(path) {
	case ".html":
		return true
	case ".go":
		return strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "test/") || strings.HasPrefix(path, "docs/examples/")
	}
	return false
}

// selections calls f for each name that a file selects of a package of ours.
func selections(file *ast.File, f func(pkg, name string)) {
	imported := map[string]string{}
	for _, i := range file.Imports {
		path, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module)
		if !ours {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		imported[name] = path
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && imported[id.Name] != "" {
				f(imported[id.Name], sel.Sel.Name)
			}
		}
		return true
	})
}

// shownTypes are types that other packages may meet without their name: those of
// exported fields, variables and constants, and in signatures.
func shownTypes(p typed) map[types.Object]bool {
	shown := map[types.Object]bool{}
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.IsExported() {
					p.show(shown, n.Recv, n.Type)
				}
				return false
			case *ast.Field:
				if len(n.Names) == 0 || slices.ContainsFunc(n.Names, (*ast.Ident).IsExported) {
					p.show(shown, n.Type)
				}
			case *ast.ValueSpec:
				p.show(shown, n.Type)
			case *ast.TypeSpec:
				if _, isStruct := n.Type.(*ast.StructType); !isStruct {
					p.show(shown, n.Type)
				}
			}
			return true
		})
	}
	return shown
}

func (p typed) show(shown map[types.Object]bool, nodes ...ast.Node) {
	for _, n := range nodes {
		if list, ok := n.(*ast.FieldList); n == nil || ok && list == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				shown[p.info.Uses[id]] = true
			}
			return true
		})
	}
}

// isValue reports whether a constant is a rule's ID, or a value of a named type that
// other packages use or meet.
func isValue(obj types.Object, used map[string]bool, shown map[types.Object]bool) bool {
	c, ok := obj.(*types.Const)
	if !ok {
		return false
	}
	if named, ok := c.Type().(*types.Named); ok {
		return used[nameOf(named.Obj())] || shown[named.Obj()]
	}
	return c.Val().Kind() == constant.String && constant.StringVal(c.Val()) == c.Name()
}

func isMethod(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Recv() != nil
}

// isMethodOfInterface reports whether a method is one of an interface, or its type
// implements one that has it.
func isMethodOfInterface(p typed, obj types.Object) bool {
	if !isMethod(obj) {
		return false
	}
	f := obj.(*types.Func)
	to := types.NewPointer(namedOf(f.Signature().Recv().Type()))
	seen := map[*types.Package]bool{}
	var in func(*types.Package) bool
	in = func(pkg *types.Package) bool {
		if seen[pkg] {
			return false
		}
		seen[pkg] = true
		for _, name := range pkg.Scope().Names() {
			iface, ok := pkg.Scope().Lookup(name).Type().Underlying().(*types.Interface)
			if ok && iface.NumMethods() > 0 && declares(iface, f.Name()) && types.Implements(to, iface) {
				return true
			}
		}
		return slices.ContainsFunc(pkg.Imports(), in)
	}
	return types.IsInterface(to.Elem()) || f.Name() == "Error" || f.Name() == "Unwrap" || in(p.types)
}

func declares(iface *types.Interface, method string) bool {
	for method0 := range iface.Methods() {
		if method0.Name() == method {
			return true
		}
	}
	return false
}
