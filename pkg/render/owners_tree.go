package render

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// treeRow is an object with its branch, and what is to be said of it.
type treeRow struct{ name, text string }

type tree struct {
	g     *lineage.Graph
	below map[string][]*lineage.Edge // edges by owner
	above map[string]int             // how many owners
	nodes map[string]*lineage.Node
	seen  map[string]bool
	rows  []treeRow
}

func newTree(g *lineage.Graph) *tree {
	t := &tree{g: g, below: map[string][]*lineage.Edge{}, above: map[string]int{}, nodes: map[string]*lineage.Node{}, seen: map[string]bool{}}
	for i := range g.Nodes {
		t.nodes[g.Nodes[i].Object.UID] = &g.Nodes[i]
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		t.below[e.Owner] = append(t.below[e.Owner], e)
		if t.nodes[e.Owner] != nil {
			t.above[e.Dependent]++
		}
	}
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

func (t *tree) walk(n *lineage.Node, via *lineage.Edge, branch, indent string) {
	again := t.seen[n.Object.UID]
	t.seen[n.Object.UID] = true
	t.rows = append(t.rows, treeRow{branch + t.name(n), t.remarks(n, via, again)})
	if again {
		return
	}
	edges := t.below[n.Object.UID]
	for i, e := range edges {
		dep := t.nodes[e.Dependent]
		if i == len(edges)-1 {
			t.walk(dep, e, indent+"└─ ", indent+"   ")
		} else {
			t.walk(dep, e, indent+"├─ ", indent+"│  ")
		}
	}
}

func (t *tree) name(n *lineage.Node) string {
	if n.Object.UID == t.g.Target.UID {
		return clean(n.Object.String()) + " ◂"
	}
	return clean(n.Object.String())
}

// remarks are what is to be said of an object and of the reference that leads
// to it.
func (t *tree) remarks(n *lineage.Node, via *lineage.Edge, again bool) string {
	var parts []string
	if via != nil {
		parts = append(parts, relation(via))
	}
	if !n.Exists {
		parts = append(parts, t.why(n))
	}
	if n.Deleting {
		parts = append(parts, "being deleted")
	}
	if n.Next != nil {
		parts = append(parts, n.Next.Message)
	}
	if n.Hidden > 0 {
		parts = append(parts, plural(n.Hidden, "dependent")+" below")
	}
	if again {
		parts = append(parts, "shown above")
	}
	return strings.Join(parts, "; ")
}

func relation(e *lineage.Edge) string {
	text := "owned"
	if e.Controller {
		text = "controlled"
	}
	if e.Blocks {
		text += ", blocks its owner"
	}
	if e.State == lineage.Waiting {
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
