package html

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// branch is an object in a tree, with what is to be said of it.
type branch struct {
	Name string
	Text string
	// Sort is target, missing, changing, or a fate; it picks the colour of
	// what Text says.
	Sort  string
	Below []*branch
}

// trees are the owners and dependents of a Graph, a root at the top of each.
func trees(g *lineage.Graph) []*branch {
	var out []*branch
	for _, t := range render.Trees(g) {
		out = append(out, branchOf(t))
	}
	return out
}

func branchOf(t *render.Tree) *branch {
	if t.Left > 0 {
		return &branch{Name: fmt.Sprintf("… %d more %s", t.Left, t.What), Text: "the JSON form of this answer has them"}
	}
	b := &branch{Name: t.Object.String(), Text: t.Remarks, Sort: t.Sort}
	for _, sub := range t.Below {
		b.Below = append(b.Below, branchOf(sub))
	}
	return b
}

// fewPods are drawn one by one; more are counted by their fate.
const fewPods = 40

// objectTree is the tree around a Decision's target: its owners above it, its sets
// or pods below.
func objectTree(d *decision.Decision) []*branch {
	target := &branch{Name: d.Target.String(), Sort: "target", Below: dependents(d)}
	if len(target.Below) == 0 && len(d.Owners) == 0 {
		return nil
	}
	root := target
	for _, owner := range slices.Backward(d.Owners) {
		root = &branch{Name: owner.String(), Below: []*branch{root}}
	}
	return []*branch{root}
}

func dependents(d *decision.Decision) []*branch {
	var out []*branch
	for _, s := range d.Sets {
		out = append(out, &branch{Name: s.Object.String(), Text: fmt.Sprintf("%s, %d of %d Pods", s.Role, s.Actual, s.Replicas)})
	}
	fates := fatesOf(d)
	for _, c := range d.Claims {
		if c.Decision == decision.Ignored || d.Sets != nil {
			continue
		}
		out = append(out, pod(c, fates[c.Object.Qualified()]))
	}
	if len(out) > fewPods {
		out = summed(out)
	}
	if d.Folded != nil && d.Folded.Contested > 0 {
		out = append(out, &branch{Name: count(d.Folded.Contested, "more Pod"), Text: "others may adopt them first"})
	}
	return out
}

func fatesOf(d *decision.Decision) map[string]decision.Fate {
	fates := map[string]decision.Fate{}
	for _, r := range render.Rankings(d) {
		for _, row := range r.Rows {
			fates[row.Object.Qualified()] = row.End()
		}
	}
	return fates
}

// pod says in a word what becomes of a pod.
func pod(c decision.Claim, fate decision.Fate) *branch {
	b := &branch{Name: c.Object.String(), Sort: string(fate)}
	switch c.Decision {
	case decision.ToAdopt:
		b.Text, b.Sort = "adopted", "changing"
	case decision.ToRelease:
		b.Text, b.Sort = "released", "changing"
	case decision.Inactive:
		b.Text, b.Sort = "not counted", "missing"
	}
	switch fate {
	case decision.Doomed:
		b.Text = joined(b.Text, "deleted")
	case decision.AtRisk:
		b.Text = joined(b.Text, "possibly deleted")
	case decision.Safe:
		b.Text = joined(b.Text, "kept")
	}
	return b
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", then " + b
}

// summed has one branch for all that become the same.
func summed(all []*branch) []*branch {
	var out []*branch
	at, n := map[string]*branch{}, map[string]int{}
	for _, b := range all {
		if at[b.Text] == nil {
			at[b.Text] = &branch{Text: b.Text, Sort: b.Sort}
			out = append(out, at[b.Text])
		}
		n[b.Text]++
		at[b.Text].Name = count(n[b.Text], "Pod")
	}
	return out
}
