package source

import (
	"go/ast"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// readGates reads the feature gates of a package, as its release has them. What a gate is
// in each version stands in a list, the last one newest; up to 1.30 in one literal.
func (r *release) readGates(dir string) error {
	p, err := parse(dir)
	if err != nil {
		return err
	}
	names := p.strings()
	for _, file := range p.all {
		for pair := range nodes[*ast.KeyValueExpr](file) {
			g := manager.Gate{Name: names[name(pair.Key)]}
			if specify(&g, pair.Value) && g.Name != "" {
				r.gates[name(pair.Key)] = g
			}
		}
	}
	return nil
}

// specify sets the default and the stage of a gate, as a specification or the last one
// in a list says, and reports whether there is one.
func specify(g *manager.Gate, value ast.Expr) (specified bool) {
	literal, isLiteral := value.(*ast.CompositeLit)
	if !isLiteral || len(literal.Elts) == 0 {
		return false
	}
	if last, isLiteral := literal.Elts[len(literal.Elts)-1].(*ast.CompositeLit); isLiteral {
		literal = last
	}
	for key, value := range fields(literal) {
		switch key {
		case "Default":
			g.On, specified = name(value) == "true", true
		case "PreRelease":
			g.Stage = name(value)
		}
	}
	return specified
}
