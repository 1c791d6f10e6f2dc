package test

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// mostWriters is how many files may assign to the fields of one struct.
const mostWriters = 5

// shared are the structs that every plugin fills, with the package whose methods write them.
var shared = map[string]string{"pkg/decision.Decision": "pkg/decision/", "pkg/simulate.Sync": "pkg/simulate/"}

// TestFewFilesWriteAStruct: what many files change, none of them understands alone.
func TestFewFilesWriteAStruct(t *testing.T) {
	writers := map[string]map[string]bool{}
	for _, p := range ours(t) {
		for name, file := range p.files {
			for _, of := range written(p.info, file) {
				if writers[of] == nil {
					writers[of] = map[string]bool{}
				}
				writers[of][name] = true
			}
		}
	}
	delete(writers, "") // types of others
	for _, of := range slices.Sorted(maps.Keys(writers)) {
		names := slices.Sorted(maps.Keys(writers[of]))
		if n := len(names); n > mostWriters {
			t.Errorf("%d files write fields of %s: %s", n, of, strings.Join(names, ", "))
		}
		for _, name := range names {
			if home := shared[of]; !strings.HasPrefix(name, home) {
				t.Errorf("%s writes fields of %s, which has methods for that in %s", name, of, home)
			}
		}
	}
}

// written are the structs of ours whose fields a file assigns to, also through a pointer
// or as an element of a list or map that a field holds.
func written(info *types.Info, file *ast.File) []string {
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				for _, to := range s.Lhs {
					out = append(out, changed(info, to)...)
				}
			}
		case *ast.IncDecStmt:
			out = append(out, changed(info, s.X)...)
		case *ast.RangeStmt:
			if s.Tok == token.ASSIGN {
				out = append(append(out, changed(info, s.Key)...), changed(info, s.Value)...)
			}
		}
		return true
	})
	return out
}

// changed are the structs that an assignment to an expression changes: none where it
// builds a value that is a variable of the function itself.
func changed(info *types.Info, to ast.Expr) (out []string) {
	for {
		switch e := to.(type) {
		case *ast.ParenExpr:
			to = e.X
		case *ast.IndexExpr:
			if _, array := info.TypeOf(e.X).Underlying().(*types.Array); !array {
				return append(out, holders(info, e.X)...)
			}
			to = e.X
		case *ast.StarExpr:
			return append(out, structName(info.TypeOf(e)))
		case *ast.SelectorExpr:
			sel := info.Selections[e]
			if sel == nil || sel.Kind() != types.FieldVal {
				return out // a variable of another package
			}
			of, through := declarer(sel)
			out = append(out, structName(of))
			if through {
				return out
			}
			to = e.X
		case *ast.Ident:
			if v, ok := info.ObjectOf(e).(*types.Var); ok && v.Parent() != nil && v.Parent().Parent() != types.Universe && v.Pkg().Scope() != v.Parent() {
				return nil
			}
			return out
		default:
			return out
		}
	}
}

// holders is the struct whose field is a list or map of which an element changes.
func holders(info *types.Info, list ast.Expr) []string {
	if sel, ok := ast.Unparen(list).(*ast.SelectorExpr); ok {
		return changed(info, sel)
	}
	return nil
}

// declarer is the type that declares the field that a selection ends in, and whether
// it is reached through a pointer.
func declarer(sel *types.Selection) (of types.Type, through bool) {
	of = sel.Recv()
	for n, i := range sel.Index() {
		if p, ok := of.Underlying().(*types.Pointer); ok {
			of, through = p.Elem(), true
		}
		if n < len(sel.Index())-1 {
			of = of.Underlying().(*types.Struct).Field(i).Type()
		}
	}
	return of, through
}

// structName is the name of a struct of ours, or "".
func structName(of types.Type) string {
	named, ok := types.Unalias(of).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), module) {
		return ""
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return ""
	}
	return strings.TrimPrefix(named.Obj().Pkg().Path(), module) + "." + named.Obj().Name()
}
