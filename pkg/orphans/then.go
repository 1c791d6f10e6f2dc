package orphans

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// consequences lets every controller that gains or loses pods decide again, on
// what it then has.
func (f *finder) consequences() {
	decided := map[string]*decision.Decision{}
	for i := range f.rep.Findings {
		found := &f.rep.Findings[i]
		if found.Then != nil {
			continue // of a namespace before this one
		}
		for _, ref := range found.movers() {
			if d := f.decide(decided, ref); d != nil {
				found.Then = append(found.Then, consequence(ref, d))
			}
		}
	}
}

// movers are the controllers whose next sync moves the object.
func (fi *Finding) movers() []decision.Ref {
	var refs []decision.Ref
	switch fi.Group {
	case Adopted, Contested:
		for _, c := range adopting(fi.Candidates) {
			refs = append(refs, c.Controller)
		}
	case Released:
		for _, l := range fi.Links {
			if l.Controller {
				refs = append(refs, l.Owner)
			}
		}
	}
	return refs
}

// decide is the next decision of a controller, made once.
func (f *finder) decide(decided map[string]*decision.Decision, ref decision.Ref) *decision.Decision {
	if f.Decide == nil {
		return nil
	}
	if d, done := decided[ref.UID]; done {
		return d
	}
	kind, err := lineage.Held(ref.APIVersion, ref.Kind)
	if err != nil {
		return nil
	}
	d, ok := f.Decide(view.Target{Kind: kind, Namespace: ref.Namespace, Name: ref.Name})
	if !ok || !countsPods(d) {
		d = nil
	}
	decided[ref.UID] = d
	return d
}

func consequence(ref decision.Ref, d *decision.Decision) Consequence {
	c := Consequence{Controller: ref}
	for _, a := range d.Actions {
		switch {
		case a.Verb != decision.Delete:
		case a.Certainty == decision.Certain:
			c.Deletes = append(c.Deletes, a.Object)
		default:
			c.Possible = append(c.Possible, a.Object)
		}
	}
	c.Ruling = decision.Ruled(thenRule(d), counts(d, c)...)
	return c
}

// countsPods tells whether the decision is one about a number of pods.
func countsPods(d *decision.Decision) bool {
	_, ok := d.Count.Of.Get("active")
	return ok
}

func thenRule(d *decision.Decision) string {
	switch {
	case d.Summary.Delete() > 0:
		return ThenDeletes
	case d.Summary.Create > 0:
		return ThenCreates
	case d.Count.Of.Int("active") == d.Count.Of.Int("spec.replicas"):
		return ThenInStep
	}
	return ThenWaits
}

func counts(d *decision.Decision, c Consequence) []decision.Fact {
	return []decision.Fact{
		decision.F("active", d.Count.Of.Int("active")),
		decision.F("spec.replicas", d.Count.Of.Int("spec.replicas")),
		decision.F("create", d.Summary.Create),
		decision.F("certain", names(c.Deletes)),
		decision.F("possible", names(c.Possible)),
		decision.F("deletePossible", d.Summary.DeletePossible),
		decision.F("among", d.Summary.PossibleAmong),
	}
}

func names(refs []decision.Ref) string {
	var out []string
	for _, r := range refs {
		out = append(out, r.Name)
	}
	return strings.Join(out, ", ")
}
