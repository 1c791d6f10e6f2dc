package render

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// Tree is an object of a Graph with what belongs to it.
type Tree struct {
	Object decision.Ref
	// Remarks are what is to be said of the object and of the reference that
	// leads to it.
	Remarks string
	// Sort is target, missing or changing, or empty.
	Sort  string
	Below []*Tree
	// Left is how many objects are left out in the place of one, and What they
	// are: "below" or "between". There is no Object then.
	Left int
	What string
}

// Trees are the trees of a Graph, a root at the top of each. An object with
// several owners has its dependents in one place only. Of deep trees some
// levels are left out.
func Trees(g *lineage.Graph) []*Tree {
	t := newTree(g, true, false)
	var out []*Tree
	for _, root := range t.roots() {
		out = append(out, t.walk(root))
	}
	return out
}
