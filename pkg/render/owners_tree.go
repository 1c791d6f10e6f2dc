package render

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// treeRow is an object with its branch, what is to be said of it, and the
// branches that go on below it.
type treeRow struct{ name, text, below string }

type tree struct {
	g *lineage.Graph
	// all shows all dependents of an object, deep all levels.
	all, deep bool
	below     map[string][]*lineage.Edge // edges by owner
	above     map[string]int             // how many owners
	// dropping are the nodes below an owner that is to be dropped from their owners.
	dropping map[string]bool
	nodes    map[string]*lineage.Node
	// near are the target and the owners next above it.
	near map[string]bool
	// seen says of the nodes that were met where they are.
	seen map[string]string
	rows []treeRow
}

// Where a node is that is met again.
const (
	shownAbove  = "shown above"
	foldedAbove = "folded above"
)

func newTree(g *lineage.Graph, all, deep bool) *tree {
	t := &tree{g: g, all: all, deep: deep, below: map[string][]*lineage.Edge{}, above: map[string]int{}, dropping: map[string]bool{}, nodes: map[string]*lineage.Node{}, near: map[string]bool{}, seen: map[string]string{}}
	for i := range g.Nodes {
		t.nodes[g.Nodes[i].Object.UID] = &g.Nodes[i]
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		t.below[e.Owner] = append(t.below[e.Owner], e)
		if t.nodes[e.Owner] != nil {
			t.above[e.Dependent]++
			t.dropping[e.Dependent] = t.dropping[e.Dependent] || e.State != lineage.Solid
		}
	}
	t.findNear()
	return t
}

// roots are the nodes without owners, or the target when owners go in circles.
func (t *tree) roots() []*lineage.Node {
	var out []*lineage.Node
	for i := range t.g.Nodes {
		if n := &t.g.Nodes[i]; t.above[n.Object.UID] == 0 {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		out = append(out, t.nodes[t.g.Target.UID])
	}
	return out
}

// edges are the references to a node to show, and how many are folded: of many
// dependents that nothing is to be said of and that have none themselves, the
// first few stand for all.
func (t *tree) edges(n *lineage.Node) (shown []*lineage.Edge, folded int) {
	f := folding(t.all, upTo[bool](most))
	for _, e := range t.below[n.Object.UID] {
		if t.speaks(e) || f.shows(false) {
			shown = append(shown, e)
		}
	}
	return shown, f.left[false]
}

// speaks reports whether there is more to say of a dependent than that it is one.
func (t *tree) speaks(e *lineage.Edge) bool {
	n := t.nodes[e.Dependent]
	return !n.Exists || n.Deleting || n.Next != nil || n.Hidden > 0 || e.State != lineage.Solid ||
		len(t.below[e.Dependent]) > 0 || e.Dependent == t.g.Target.UID
}

func (t *tree) name(n *lineage.Node) string {
	if n.Object.UID == t.g.Target.UID {
		return clean(n.Object.String()) + " ◂"
	}
	return clean(n.Object.String())
}

// remarks are what is to be said of an object and of the reference that leads
// to it.
func (t *tree) remarks(n *lineage.Node, via *lineage.Edge, again string) string {
	var parts []string
	if via != nil {
		parts = append(parts, relation(via))
	}
	if !n.Exists {
		parts = append(parts, t.why(n))
	}
	if n.Deleting && (n.Next == nil || n.Next.Rule != lineage.AlreadyDeleting) {
		parts = append(parts, "being deleted")
	}
	kept := via != nil && via.State == lineage.Solid && t.dropping[n.Object.UID]
	if n.Next != nil && (!kept || n.Next.Rule != lineage.ReferenceDropped && n.Next.Rule != lineage.OrphanedOrCollected) { // else said below the other owner
		parts = append(parts, n.Next.Message)
	}
	if n.Hidden > 0 {
		parts = append(parts, format.Plural(n.Hidden, "dependent")+" below")
	}
	if again != "" {
		parts = append(parts, again)
	}
	return strings.Join(parts, "; ")
}

func relation(e *lineage.Edge) string {
	text := "owned"
	if e.Controller {
		text = "controlled"
	}
	if e.Blocks {
		text += ", blockOwnerDeletion"
	}
	if e.State == lineage.Waiting && e.Blocks {
		text += ", owner waits for it"
	}
	return text
}

// why is what the references to a missing owner came to.
func (t *tree) why(n *lineage.Node) string {
	for _, e := range t.below[n.Object.UID] {
		if e.Message != "" {
			return e.Message
		}
	}
	return ""
}
