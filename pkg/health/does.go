package health

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
)

// verbs are what a sync does, in the order in which it is said.
var verbs = []struct {
	verb         decision.Verb
	does, behind string
}{
	{decision.Adopt, "adopts", ""}, {decision.Release, "releases", ""}, {decision.Create, "creates", ""},
	{decision.Delete, "deletes", ""}, {decision.Scale, "scales", ""}, {decision.UpdateInPlace, "updates", " in place"},
	{decision.Recreate, "recreates", ""}, {decision.SetState, "changes the lifecycle state of", ""},
	{decision.Modify, "modifies", ""}, {decision.Detach, "detaches", ""},
}

// most is how many things that a sync does stand in a first line.
const most = 3

// does says what the next sync does: "next sync creates 2 Pods".
func does(d *decision.Decision) string {
	var said []string
	for _, v := range verbs {
		for _, of := range acted(d, v.verb) {
			said = append(said, fmt.Sprintf("%s %s%s", v.does, wording.Plural(of.n, of.kind), v.behind))
		}
	}
	switch {
	case len(said) == 0:
		return ""
	case len(said) > most:
		said = append(said[:most], fmt.Sprintf("%d more", len(said)-most))
	}
	sync := "next sync "
	if unsure(d) {
		sync = "next sync, if nothing refuses it, "
	}
	return sync + strings.Join(said, ", ")
}

// acts is how many objects of a kind get an action.
type acts struct {
	kind string
	n    int
}

// acted counts the objects that get an action, by kind. Of a choice, as many as it
// is about count, for the gravest of its verbs.
func acted(d *decision.Decision, verb decision.Verb) []acts {
	var all []acts
	add := func(kind string, n int) {
		for i := range all {
			if all[i].kind == kind {
				all[i].n += n
				return
			}
		}
		all = append(all, acts{kind, n})
	}
	for i := range d.Actions {
		a := &d.Actions[i]
		if _, shared := a.Pool(); a.Verb == verb && !shared {
			add(a.Object.Kind, max(a.Count, 1))
		}
	}
	for _, c := range d.Choices() {
		if c.Gravest() == verb {
			add(c.Pool.Kind, c.K)
		}
	}
	return all
}

// unsure reports whether nothing of it is certain.
func unsure(d *decision.Decision) bool {
	for i := range d.Actions {
		if a := &d.Actions[i]; a.Certainty == decision.Certain || a.Choice != nil {
			return false
		}
	}
	return true
}
