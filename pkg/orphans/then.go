package orphans

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// consequences lets every controller that gains or loses objects decide again,
// on what it then has.
func (f *finder) consequences() {
	d := &decider{finder: f, now: map[string]*decision.Decision{}, later: map[string]*decision.Decision{}}
	for i := range f.rep.Findings {
		found := &f.rep.Findings[i]
		object, here := f.moved[found.Object.UID]
		if !here {
			continue // of a namespace before this one, or it stays where it is
		}
		for _, m := range found.moves() {
			if c, ok := d.consequence(object, m); ok {
				found.Then = append(found.Then, c)
			}
		}
	}
}

// move is one object's joining or leaving a controller.
type move struct {
	controller decision.Ref
	joins      bool
	// later says that another controller has to let the object go first.
	later bool
}

// moves are those that the next syncs bring.
func (fi *Finding) moves() []move {
	var all []move
	if fi.Group == Released {
		for _, l := range fi.Links {
			if l.Controller {
				all = append(all, move{controller: l.Owner})
			}
		}
	}
	for _, c := range adopting(fi.Candidates) {
		all = append(all, move{c.Controller, true, fi.Group == Released})
	}
	return all
}

// decider keeps the decisions of controllers, by UID: on things as they are,
// and as they are once what is due to be released is released.
type decider struct {
	*finder
	now, later map[string]*decision.Decision
	released   *view.View
}

// consequence is what a controller does after a move, as far as it is known.
func (d *decider) consequence(object moved, m move) (Consequence, bool) {
	made := d.decide(m)
	switch {
	case made == nil:
		return d.known(object, m)
	case countsPods(made):
		return afterCounting(m.controller, made), true
	}
	c := acts(m.controller, made)
	c.Ruling = decision.Ruled(ThenActs, decision.F("answer", strings.TrimPrefix(made.Answer, made.Target.String()+" ")))
	return c, true
}

// decide is the next decision of a controller, nil where it is not modelled.
func (d *decider) decide(m move) *decision.Decision {
	kind, err := lineage.Held(m.controller.APIVersion, m.controller.Kind)
	if d.Decide == nil || err != nil {
		return nil
	}
	t := view.Target{Kind: kind, Namespace: m.controller.Namespace, Name: m.controller.Name}
	memory := d.now
	if m.later {
		memory = d.later
	}
	made, done := memory[m.controller.UID]
	if !done {
		made = d.decideAnew(t, m.later)
		memory[m.controller.UID] = made
	}
	return made
}

func (d *decider) decideAnew(t view.Target, later bool) *decision.Decision {
	r := d.r
	if later {
		r = d.afterReleases().Reader()
	}
	made, ok := d.Decide(r, t)
	for _, read := range r.Asked() {
		_ = d.r.Err(read.Need) // so that it is loaded, if it is not there yet
	}
	if !ok {
		return nil
	}
	return made
}

// afterReleases is the View once everything that is due to be released is.
func (d *decider) afterReleases() *view.View {
	if d.released != nil {
		return d.released
	}
	d.released = d.r.View
	for _, fi := range d.rep.Findings {
		object, here := d.moved[fi.Object.UID]
		if !here || fi.Group != Released {
			continue
		}
		need := view.Need{Kind: object.kind, Namespace: object.GetNamespace(), Name: object.GetName(), Without: "what its next controller does is not known"}
		if whole, ok := view.Get[metav1.Object](d.r, need); ok {
			ref := metav1.GetControllerOfNoCopy(object)
			d.released = d.released.With(object.kind, ownership.Without(whole, ref.UID))
		}
	}
	return d.released
}

// afterCounting is what a controller of a number of pods does.
func afterCounting(ref decision.Ref, d *decision.Decision) Consequence {
	c := acts(ref, d)
	c.Ruling = decision.Ruled(thenRule(d), counts(d, c)...)
	return c
}

// acts lists what a decision deletes.
func acts(ref decision.Ref, d *decision.Decision) Consequence {
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
