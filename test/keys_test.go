package test

import (
	"go/ast"
	"go/token"
	"go/types"
	"testing"
)

// TestFactsHaveKeys: facts are made and read by constants, so that a key that is
// misspelt does not compile.
func TestFactsHaveKeys(t *testing.T) {
	for _, p := range ours(t) {
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if g, ok := n.(*ast.GenDecl); ok && g.Tok == token.CONST {
					return false
				}
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Value == `""` {
					return true
				}
				named, ok := p.info.TypeOf(lit).(*types.Named)
				if ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == module+"pkg/decision" && named.Obj().Name() == "Key" {
					t.Errorf("%s: %s is the key of a fact: declare it as a constant in keys.go", p.fset.Position(lit.Pos()), lit.Value)
				}
				return true
			})
		}
	}
}
