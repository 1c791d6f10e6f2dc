package orphans

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// consequences lets every controller that gains or loses objects decide again,
// on what it then has.
func (f *finder) consequences() {
	d := &decider{finder: f, made: map[move]*made{}}
	for _, c := range f.overfull {
		d.after(move{controller: c}) // which notes where no leader is active
	}
	for i := range f.rep.Findings {
		found := &f.rep.Findings[i]
		object, here := f.moved[found.Object.UID]
		if !here {
			continue // of a namespace before this one, or it stays where it is
		}
		var moves []move
		moves, found.MoreThen = found.moves()
		for _, m := range moves {
			if c, ok := d.consequence(object, m); ok {
				found.Then = append(found.Then, c)
			}
		}
	}
}

// fewMoves is how many of very many adopters decide again.
const fewMoves = 3

// move is one object's joining or leaving a controller.
type move struct {
	controller decision.Ref
	joins      bool
	// later says that another controller has to let the object go first.
	later bool
}

// moves are those that the next syncs bring, and how many adoptions more are
// possible.
func (fi *Finding) moves() (all []move, more int) {
	if fi.Group == Released {
		for _, l := range fi.Links {
			if l.Controller {
				all = append(all, move{controller: l.Owner})
			}
		}
	}
	adopters := adopting(fi.Candidates)
	if fi.More != nil && fi.More.Adopting > 0 {
		more = fi.More.Adopting + len(adopters) - fewMoves
		adopters = adopters[:fewMoves]
	}
	for _, c := range adopters {
		all = append(all, move{c.Controller, true, fi.leaves()})
	}
	return all, more
}

// leaves reports whether the object loses a controller that is there.
func (fi *Finding) leaves() bool {
	return fi.Group == Released || fi.Group == Uncontrolled && fi.Rule != NoController
}

// decider keeps what controllers do after a move: on things as they are, and
// as they are once what is due to lose its controller has lost it. An object that
// joins and one that leaves a controller lead to the same decision.
type decider struct {
	*finder
	made     map[move]*made
	released *view.View
}

// made is what is told of a controller's decision, nil where there is none.
type made struct{ told *Consequence }

// consequence is what a controller does after a move, as far as it is known: what the
// object is to it, such as the Pod of an ordinal, before what it does with all of them.
func (d *decider) consequence(object moved, m move) (Consequence, bool) {
	if known, ok := d.known(object, m); ok {
		return known, true
	}
	if told := d.after(move{controller: m.controller, later: m.later}); told != nil {
		return *told, true
	}
	return Consequence{}, false
}

// after is what a controller's decision comes to, which is made once, nil where there is none.
func (d *decider) after(same move) *Consequence {
	if d.made[same] == nil {
		d.made[same] = &made{d.decide(same)}
	}
	return d.made[same].told
}

// decide is what the next decision of a controller comes to, nil where it is
// not modelled.
func (d *decider) decide(m move) *Consequence {
	kind, err := lineage.Held(m.controller.APIVersion, m.controller.Kind)
	if d.Decide == nil || err != nil {
		return nil
	}
	next := d.decideAnew(view.Target{Kind: kind, Namespace: m.controller.Namespace, Name: m.controller.Name}, m.later)
	switch {
	case next == nil:
		return nil
	case countsPods(next):
		return afterCounting(m.controller, next)
	}
	c := acts(m.controller, next)
	c.Ruling = decision.Ruled(ThenActs, decision.F(keyAnswer, strings.TrimPrefix(next.Answer, next.Target.String()+" ")))
	return c
}

func (d *decider) decideAnew(t view.Target, later bool) *decision.Decision {
	v := d.r.View
	if later {
		v = d.afterReleases()
	}
	r := v.Reader()
	next, err := d.Decide(r, t)
	for _, read := range r.Asked() {
		_ = d.r.Err(read.Need) // so that it is loaded, if it is not there yet
	}
	if u := (*decision.Undecidable)(nil); errors.As(err, &u) {
		d.rep.caveat("Undecidable", fmt.Sprintf("what it does next is not known: %v", u))
	}
	if err != nil || next == nil {
		return nil
	}
	d.rep.idles(lease.WithoutLeader(next))
	return next
}

// afterReleases is the View once everything that is due to be released is.
func (d *decider) afterReleases() *view.View {
	if d.released != nil {
		return d.released
	}
	d.released = d.r.View
	for _, k := range d.Kinds {
		if freed := d.freed(k); len(freed) > 0 {
			d.released = d.released.With(k, freed...)
		}
	}
	return d.released
}

// freed are the objects of a kind that are due to be released, as they are then.
func (d *decider) freed(k view.Kind) []metav1.Object {
	var all []metav1.Object
	for _, fi := range d.rep.Findings {
		object, here := d.moved[fi.Object.UID]
		if !here || !fi.leaves() || object.kind.GroupKind() != k.GroupKind() {
			continue
		}
		controller := metav1.GetControllerOfNoCopy(object.obj)
		if controller == nil { // it loses another owner
			continue
		}
		need := view.Need{Kind: k, Namespace: object.obj.GetNamespace(), Name: object.obj.GetName(), IfMissing: "what its next controller does is not known"}
		if whole, ok := view.Get[metav1.Object](d.r, need); ok {
			all = append(all, ownership.Without(whole, controller.UID))
		}
	}
	return all
}

// afterCounting is what a controller of a number of pods does.
func afterCounting(ref decision.Ref, d *decision.Decision) *Consequence {
	c := acts(ref, d)
	c.Ruling = decision.Ruled(thenRule(d), counts(d, c)...)
	return c
}

// acts lists what a decision deletes.
func acts(ref decision.Ref, d *decision.Decision) *Consequence {
	c := &Consequence{Controller: ref}
	for _, a := range d.Actions {
		switch {
		case a.Verb != decision.Delete:
		case a.Certainty == decision.Certain:
			c.Deletes, c.MoreDeletes = oneMore(c.Deletes, c.MoreDeletes, a.Object)
		default:
			c.Possible, c.MorePossible = oneMore(c.Possible, c.MorePossible, a.Object)
		}
	}
	return c
}

// oneMore lists one more object, or counts it where enough are listed.
func oneMore(listed []decision.Ref, more int, one decision.Ref) ([]decision.Ref, int) {
	if len(listed) == format.Most {
		return listed, more + 1
	}
	return append(listed, one), more
}

// countsPods reports whether the decision is one about a number of pods.
func countsPods(d *decision.Decision) bool {
	_, ok := d.Count.Of.Get(decision.KeyActive)
	return ok
}

func thenRule(d *decision.Decision) string {
	switch {
	case d.Summary.Delete() > 0:
		return ThenDeletes
	case d.Summary.Create > 0:
		return ThenCreates
	case d.Count.Of.Int(decision.KeyActive) == d.Count.Of.Int(decision.KeySpecReplicas):
		return ThenInStep
	}
	return ThenWaits
}

func counts(d *decision.Decision, c *Consequence) []decision.Fact {
	contested := slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return a.Verb == decision.Adopt && a.Certainty != decision.Certain })
	return []decision.Fact{
		decision.F(keyContested, contested),
		decision.F(decision.KeyActive, d.Count.Of.Int(decision.KeyActive)),
		decision.F(decision.KeySpecReplicas, d.Count.Of.Int(decision.KeySpecReplicas)),
		decision.F(keyCreate, d.Summary.Create),
		decision.F(keyCertain, names(c.Deletes, c.MoreDeletes)),
		decision.F(keyPossible, names(c.Possible, c.MorePossible)),
		decision.F(keyDeletePossible, d.Summary.DeletePossible),
		decision.F(keyAmong, d.Summary.PossibleAmong),
		decision.F(keyAtMost, slices.ContainsFunc(d.Choices(), func(c decision.OpenChoice) bool { return c.AtMost })),
	}
}

func names(listed []decision.Ref, more int) string {
	var out []string
	for _, r := range listed {
		out = append(out, r.Name)
	}
	return format.Some(out, len(out)+more)
}
