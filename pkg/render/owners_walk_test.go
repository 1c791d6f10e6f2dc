package render

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// drawGraph is a graph below one root, in which each object has one to three
// owners among the few before it.
func drawGraph(t *rapid.T) *lineage.Graph {
	name := func(i int) string { return fmt.Sprintf("o-%d", i) }
	n := rapid.IntRange(1, 120).Draw(t, "objects")
	near := rapid.IntRange(1, 4).Draw(t, "near")
	g := &lineage.Graph{Target: decision.Ref{Kind: "Pod", UID: name(rapid.IntRange(0, n-1).Draw(t, "target"))}}
	for i := range n {
		g.Nodes = append(g.Nodes, lineage.Node{Object: decision.Ref{Kind: "Pod", Name: name(i), UID: name(i)}, Exists: true})
		owners := map[int]bool{}
		for range rapid.IntRange(1, 3).Draw(t, "owners") {
			if owner := rapid.IntRange(max(0, i-near), i).Draw(t, "owner"); owner < i && !owners[owner] {
				owners[owner] = true
				g.Edges = append(g.Edges, lineage.Edge{Dependent: name(i), Owner: name(owner), Link: lineage.Link{State: lineage.Solid, Controller: len(owners) == 1}})
			}
		}
	}
	return g
}

// countTrees adds up the objects that trees show, and those that they leave out.
func countTrees(trees []*Tree, level int, shown map[string]bool) (left, deepest int) {
	deepest = level
	for _, t := range trees {
		left += t.Left
		if t.Left == 0 {
			shown[t.Object.UID] = true
		}
		l, d := countTrees(t.Below, level+1, shown)
		left, deepest = left+l, max(deepest, d)
	}
	return left, deepest
}

// TestTreesCountWhatTheyLeaveOut: every object is shown or counted, the roots
// and the target are shown, and no tree is deeper than a page is wide.
func TestTreesCountWhatTheyLeaveOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		trees := Trees(g)
		shown := map[string]bool{}
		left, deepest := countTrees(trees, 0, shown)
		if !shown[g.Target.UID] {
			t.Fatalf("the target %s is not shown", g.Target.UID)
		}
		if above := newTree(g, true, false); len(trees) != len(above.roots()) {
			t.Fatalf("%d roots, want %d", len(trees), len(above.roots()))
		}
		if most := 2*levelsShown + levelsAbove + 5; deepest > most {
			t.Fatalf("%d levels, want at most %d", deepest, most)
		}
		folded := 0
		for _, n := range g.Nodes {
			if !shown[n.Object.UID] {
				folded++
			}
		}
		if folded > left {
			t.Fatalf("%d objects are not shown, and %d are said to be left out", folded, left)
		}
	})
}

// TestRelation: an owner that is deleted in the foreground waits for what blocks its deletion.
func TestRelation(t *testing.T) {
	for want, l := range map[string]lineage.Link{
		"controlled, blockOwnerDeletion, owner waits for it": {Controller: true, Blocks: true, State: lineage.Waiting},
		"owned, blockOwnerDeletion":                          {Blocks: true, State: lineage.Solid},
		"owned":                                              {State: lineage.Waiting},
	} {
		if got := relation(&lineage.Edge{Link: l}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
