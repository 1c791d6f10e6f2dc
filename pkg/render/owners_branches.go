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
}

// Trees are the trees of a Graph, a root at the top of each. An object with
// several owners has its dependents in one place only.
func Trees(g *lineage.Graph) []*Tree {
	t := newTree(g, true)
	var out []*Tree
	for _, root := range t.roots() {
		out = append(out, t.grow(root, nil))
	}
	return out
}

func (t *tree) grow(n *lineage.Node, via *lineage.Edge) *Tree {
	again := t.seen[n.Object.UID]
	t.seen[n.Object.UID] = true
	out := &Tree{Object: n.Object, Remarks: t.remarks(n, via, again), Sort: style(t.g, *n)}
	if again {
		return out
	}
	for _, e := range t.below[n.Object.UID] {
		out.Below = append(out.Below, t.grow(t.nodes[e.Dependent], e))
	}
	return out
}
