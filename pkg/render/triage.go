package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// urgency is the order of states in a triage.
var urgency = []decision.State{
	decision.StateBlocked, decision.StateUnknown, decision.StateTerminating, decision.StateProgressing, decision.StateReconciling, decision.StateStable,
}

// Triage writes how many targets are in which state, and a line for each: what is
// blocked first, the longest first. Of many stable ones the first stand for all, and those that have
// Pods which are not removed.
func Triage(w io.Writer, ds []*decision.Decision, scope string, namespaces bool, o Options) error {
	p := newPage(nil, o)
	if !o.NoHeaders {
		p.headline(triaged(ds, scope))
		p.WriteByte('\n')
	}
	if _, err := io.WriteString(w, p.String()); err != nil {
		return err
	}
	sorted := slices.Clone(ds)
	if o.InOrder {
		return List(w, sorted, namespaces, StateColumns, o)
	}
	MostUrgentFirst(sorted)
	f := folding(o.All || o.NoHeaders, func(s decision.State) int {
		if s == decision.StateStable {
			return most
		}
		return len(ds)
	})
	shown := slices.DeleteFunc(sorted, func(d *decision.Decision) bool { return len(d.Troubled()) == 0 && !f.shows(d.State) })
	if err := List(w, shown, namespaces, StateColumns, o); err != nil {
		return err
	}
	if n := f.left[decision.StateStable]; n > 0 {
		_, err := fmt.Fprintln(w, more(n, "stable"))
		return err
	}
	return nil
}

// byAge orders what is known to last longer first.
func byAge(a, b *decision.Decision) int {
	if a.Since.IsZero() != b.Since.IsZero() {
		if a.Since.IsZero() {
			return 1
		}
		return -1
	}
	return a.Since.Compare(b.Since)
}

// MostUrgentFirst sorts Decisions by their state, what is blocked first, and those of one
// state by how long they have been in it.
func MostUrgentFirst(ds []*decision.Decision) {
	slices.SortStableFunc(ds, func(a, b *decision.Decision) int {
		return cmp.Or(slices.Index(urgency, a.State)-slices.Index(urgency, b.State), byAge(a, b))
	})
}

// Triaged counts the states of several targets.
func Triaged(ds []*decision.Decision) string { return triaged(ds, "") }

// triaged counts the states: "shop: 2 of 9 workloads blocked, 1 progressing, 6 stable."
func triaged(ds []*decision.Decision, scope string) string {
	count := map[decision.State]int{}
	for _, d := range ds {
		count[d.State]++
	}
	noun := "workloads"
	if len(ds) == 1 {
		noun = "workload"
	}
	text := fmt.Sprintf("%d of %d %s blocked", count[decision.StateBlocked], len(ds), noun)
	for _, s := range urgency[1:] {
		if count[s] > 0 {
			text += fmt.Sprintf(", %d %s", count[s], strings.ToLower(string(s)))
		}
	}
	if scope != "" {
		text = scope + ": " + text
	}
	return text + "."
}
