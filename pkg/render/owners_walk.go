package render

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// Levels of a tree that are shown: so many from a root or the target on, and so
// many above the target.
const (
	levelsShown = 20
	levelsAbove = 5
)

// findNear follows the owners of the target, controllers first.
func (t *tree) findNear() {
	up := map[string]*lineage.Edge{}
	for i := range t.g.Edges {
		e := &t.g.Edges[i]
		if t.nodes[e.Owner] != nil && (up[e.Dependent] == nil || e.Controller) {
			up[e.Dependent] = e
		}
	}
	at := t.g.Target.UID
	for range levelsAbove {
		t.near[at] = true
		if up[at] == nil {
			return
		}
		at = up[at].Owner
	}
}

// step is a node to show, or how many are left out.
type step struct {
	node *lineage.Node
	via  *lineage.Edge
	// left is how many nodes are left out in the place of one, and what they are.
	left int
	what string
	// into is the tree above; branch and indent are those of a row.
	into           *Tree
	branch, indent string
	// depth counts from the root or the target, level from the root.
	depth, level int
}

// walk adds a root and all that is below it, as rows and as a Tree. It keeps no
// stack of calls: graphs may be deep.
func (t *tree) walk(root *lineage.Node) *Tree {
	top := &Tree{}
	steps := []step{{node: root, into: top}}
	for len(steps) > 0 {
		s := steps[len(steps)-1]
		steps = steps[:len(steps)-1]
		below := t.show(s)
		for i := range below {
			steps = append(steps, below[len(below)-1-i])
		}
	}
	return top.Below[0]
}

// show adds what a step stands for, and lists the steps below it.
func (t *tree) show(s step) []step {
	if s.node == nil {
		s.into.Below = append(s.into.Below, &Tree{Left: s.left, What: s.what})
		t.rows = append(t.rows, treeRow{name: s.branch + more(s.left, s.what)})
		return nil
	}
	uid := s.node.Object.UID
	again := t.seen[uid]
	t.seen[uid] = shownAbove
	if uid == t.g.Target.UID {
		s.depth = 0
	}
	one := &Tree{Object: s.node.Object, Remarks: t.remarks(s.node, s.via, again), Sort: style(t.g, *s.node)}
	s.into.Below = append(s.into.Below, one)
	var below []step
	if again == "" {
		below = t.under(s)
	}
	deeper := s.indent
	if len(below) > 0 {
		deeper += "│"
	}
	t.rows = append(t.rows, treeRow{s.branch + t.name(s.node), one.Remarks, deeper})
	for i := range below {
		below[i].into = one
	}
	return below
}

// under lists the steps below a node, with their branches.
func (t *tree) under(s step) []step {
	below := t.next(s)
	for i := range below {
		b := &below[i]
		b.depth, b.level = s.depth+1, s.level+1
		switch {
		case b.level > 2*levelsShown+levelsAbove: // rows do not get wider for ever
			b.branch, b.indent = s.indent+fmt.Sprintf("level %d: ", b.level), s.indent
		case i == len(below)-1:
			b.branch, b.indent = s.indent+"└─ ", s.indent+"   "
		default:
			b.branch, b.indent = s.indent+"├─ ", s.indent+"│  "
		}
	}
	return below
}

// next lists what to show below a node. Where the tree gets too deep, that is
// how many nodes are left out, and where the way to the target goes on.
func (t *tree) next(s step) []step {
	uid := s.node.Object.UID
	if s.depth >= levelsShown && !t.deep && !t.near[uid] {
		return t.skip(uid)
	}
	edges, left := t.edges(s.node)
	var below []step
	for _, e := range edges {
		below = append(below, step{node: t.nodes[e.Dependent], via: e})
	}
	if left > 0 {
		below = append(below, step{left: left, what: "that stay"})
	}
	return below
}

// skip leaves out all nodes below one that were not met yet, but for those near
// the target.
func (t *tree) skip(uid string) []step {
	left := 0
	var on []step
	goesOn := map[string]bool{}
	todo := []string{uid}
	for len(todo) > 0 {
		uid, todo = todo[len(todo)-1], todo[:len(todo)-1]
		for _, e := range t.below[uid] {
			switch {
			case t.seen[e.Dependent] != "":
			case t.near[e.Dependent]:
				if !goesOn[e.Dependent] {
					goesOn[e.Dependent] = true
					on = append(on, step{node: t.nodes[e.Dependent], via: e})
				}
			default:
				t.seen[e.Dependent] = foldedAbove
				left++
				todo = append(todo, e.Dependent)
			}
		}
	}
	switch {
	case left == 0:
		return on
	case len(on) == 0:
		return []step{{left: left, what: "below"}}
	}
	return append([]step{{left: left, what: "between"}}, on...)
}
