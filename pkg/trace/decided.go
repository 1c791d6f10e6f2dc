package trace

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// mostReasons bounds those that a step names.
const mostReasons = 20

// decides tells why a sync that acts does so: whom it claims, what limits it, what becomes of
// each Pod of a rollout and in which order, and what it sends.
func (e *Engine) decides(f *flight) {
	if e.o.Internals == nil || e.o.Brief || !f.d.Gate.Open || len(f.d.Actions) == 0 {
		return
	}
	e.emit(&entry.Entry{Type: entry.Stepped, Step: &entry.Step{
		Part: entry.DecisionPart, Source: entry.Modelled, Resource: f.c.of.Kind.Resource, Did: entry.Decides, Decided: decided(f.key, f.d),
	}})
}

// decided are the reasons of a decision, in the order in which a sync comes to them. Pods that
// are owned, or not counted, decide nothing.
func decided(key string, d *decision.Decision) *entry.Decided {
	told := &entry.Decided{Key: key, Why: []entry.Why{}}
	add := func(w entry.Why) {
		if len(told.Why) == mostReasons {
			told.More++
			return
		}
		told.Why = append(told.Why, w)
	}
	acts, orders := map[about]bool{}, map[about]*decision.Ruling{}
	for _, a := range d.Actions {
		acts[about{a.Object.Name, a.Rule}] = true
	}
	for _, c := range d.Claims {
		if c.Decision != decision.Owned && c.Decision != decision.Inactive && !acts[about{c.Object.Name, c.Rule}] {
			add(entry.Why{Object: c.Object.Name, Did: string(c.Decision), Ruling: c.Ruling})
		}
	}
	for _, r := range d.Revisions {
		add(entry.Why{Object: r.Name, Did: "revision", Ruling: r.Ruling})
	}
	for _, r := range d.Limits {
		add(entry.Why{Did: "limit", Ruling: r})
	}
	for _, u := range d.Updates {
		if of := (about{u.Object.Name, u.Rule}); acts[of] {
			orders[of] = u.Order
			continue
		}
		add(entry.Why{Object: u.Object.Name, Did: string(u.State), Certainty: u.Certainty, Choice: u.Choice, Ruling: u.Ruling, Order: u.Order})
	}
	for _, a := range d.Actions {
		add(entry.Why{
			Object: a.Object.Name, Did: string(a.Verb), Certainty: a.Certainty, Choice: a.Choice, Ruling: a.Ruling, Order: orders[about{a.Object.Name, a.Rule}],
			Sends: a.Patch + a.Change, Whole: a.Change != "", Containers: a.Containers,
		})
	}
	return told
}

// about is an object and the rule that decides about it: an action tells what a claim, or a
// verdict of a rollout, says of the same.
type about struct{ object, rule string }
