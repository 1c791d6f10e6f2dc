package controller

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostRetries bounds the look at retries. Bookkeeping takes a Deployment's
// controller a sync for the new set and one for the Deployment itself.
const mostRetries = 3

// predict is the next sync of the target, and what follows it at once: the retry of
// one that fails on its own write, and what is done about the objects that it
// scales, by their own controllers.
func (c Controller) predict(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	if !c.leads() {
		return c.Decide(r, p, t)
	}
	f := &follower{Controller: c, r: r, profile: p, target: t, dependents: true}
	return f.run()
}

// settled is the next sync of the target with its retries as one, and without what
// other controllers do about it.
func (c Controller) settled(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	if !c.leads() {
		return c.Decide(r, p, t)
	}
	f := &follower{Controller: c, r: r, profile: p, target: t}
	d, err := f.run()
	if err != nil {
		return nil, err
	}
	for _, e := range d.Follows {
		d.Actions = append(d.Actions, e.Actions...)
	}
	return d, nil
}

// leads reports whether something follows a sync at once.
func (c Controller) leads() bool { return c.Step != nil && len(c.Scales) > 0 }

// follower composes what follows a sync of one target.
type follower struct {
	Controller
	r       *view.Reader
	profile profile.Profile
	target  Target
	// dependents: what other controllers do is part of it.
	dependents bool
	// retries is how many came before this sync, doubt what it depends on that may
	// not happen; nil for nothing.
	retries int
	doubt   *decision.Caveat
}

func (f *follower) run() (*decision.Decision, error) {
	s, err := f.Step(f.r, f.profile, f.target)
	if err != nil {
		return nil, err
	}
	d := s.Decision
	if f.doubt != nil {
		d.Doubt(*f.doubt)
	}
	depends, retries := f.dependents && len(d.Actions) > 0, s.Retries && f.retries < mostRetries && !f.r.Provisional()
	if depends || retries {
		left := f.after(s)
		if depends {
			f.depend(s, left)
		}
		if retries {
			f.retry(s, left)
		}
	}
	for _, gap := range f.r.Gaps() {
		d.AddCaveat(gap.Code, gap.Message)
	}
	sayOnce(d)
	return d, nil
}

// after is the cluster as the sync leaves it.
func (f *follower) after(s *simulate.Sync) *view.View {
	m := cluster.New(f.r.View, admission.FeaturesOf(f.profile.Kubernetes))
	m.CommitAll(s.Writes, nil)
	return m.View()
}

// retry decides on the sync that comes after one which failed on its own write, as
// if nothing else happened in those milliseconds. What users ask for is often done
// there: the first sync only brought annotations up to date.
func (f *follower) retry(s *simulate.Sync, left *view.View) {
	d, over := s.Decision, left.Reader()
	again := &follower{
		Controller: f.Controller, r: over, profile: f.profile, target: f.target, dependents: f.dependents, retries: f.retries + 1, doubt: f.doubtOfRetry(s),
	}
	next, err := again.run()
	for _, read := range over.Asked() {
		_ = f.r.Err(read.Need) // so that it is loaded, if it is not there yet
	}
	if err != nil {
		d.AddCaveat("FollowUpUnknown", fmt.Sprintf("what the retry of %s does is not known: %v", d.Target, err))
		return
	}
	if f.r.WhatIf() {
		next.WhatIf = []decision.Change{{Object: d.Target}}
	}
	f.Rules.Phrase(next)
	if len(next.Actions) > 0 {
		d.Follows = append(d.Follows, decision.Effect{
			Cause: d.Target, Answer: f.Answer(next), Summary: next.Summary, Actions: next.Actions, Evidence: next.Evidence,
		})
	}
	supersede(d, next.Follows)
}

// doubtOfRetry is what the retry depends on: what it finds is what this sync left.
func (f *follower) doubtOfRetry(s *simulate.Sync) *decision.Caveat {
	for _, a := range s.Decision.Actions {
		if doubt := f.doubtOf(s, a); doubt != nil {
			return doubt
		}
	}
	return f.doubt
}

// doubtOf is what an action depends on, and with it what follows from it; nil for
// one that is certain.
func (f *follower) doubtOf(s *simulate.Sync, a decision.Action) *decision.Caveat {
	if a.Certainty == decision.Certain {
		return nil
	}
	if why := s.Doubt(); why != nil {
		return why
	}
	return f.doubt
}

// supersede adds what follows the retry. A dependent's controller sees what the
// retry leaves, so that what it would have done before is no more.
func supersede(d *decision.Decision, later []decision.Effect) {
	d.Follows = slices.DeleteFunc(d.Follows, func(e decision.Effect) bool {
		return slices.ContainsFunc(later, func(l decision.Effect) bool { return l.Cause.Kind == e.Cause.Kind && l.Cause.Name == e.Cause.Name })
	})
	d.Follows = append(d.Follows, later...)
}

// sayOnce drops caveats of what follows that the Decision itself has.
func sayOnce(d *decision.Decision) {
	for i := range d.Follows {
		e := &d.Follows[i]
		e.Caveats = slices.DeleteFunc(slices.Clone(e.Caveats), func(c decision.Caveat) bool { return slices.Contains(d.Caveats, c) })
	}
}

// effect is what the controller of a dependent does about an action.
type effect struct {
	cause decision.Action
	of    Controller
	at    Target
	*simulate.Sync
}

// depend decides on each object that the sync scales or creates, as it leaves it.
func (f *follower) depend(s *simulate.Sync, left *view.View) {
	d, seen := s.Decision, map[decision.Ref]bool{}
	var all []effect
	for _, a := range d.Actions {
		of, at, ok := f.dependent(a)
		if !ok || seen[a.Object] {
			continue
		}
		seen[a.Object] = true
		e := effect{cause: a, of: of, at: at}
		if err := f.decide(&e, left, f.doubtOf(s, a)); err != nil {
			d.AddCaveat("FollowUpUnknown", fmt.Sprintf("what %s does next is not known: %v", a.Object, err))
			continue
		}
		if a.Verb == decision.Create && len(e.Decision.Actions) == 0 && len(e.Decision.Evidence) == 0 {
			continue // made without Pods
		}
		all = append(all, e)
	}
	f.shareRoom(d, all, left)
	for _, e := range all {
		d.Follows = append(d.Follows, decision.Effect{
			Cause: e.cause.Object, Answer: e.Decision.Answer, Summary: e.Decision.Summary, Actions: e.Decision.Actions,
			Ranking: e.Decision.Ranking, Evidence: e.Decision.Evidence, Caveats: e.Decision.Caveats,
		})
	}
}

// dependent is the object that an action scales or creates, with its controller.
func (f *follower) dependent(a decision.Action) (of Controller, at Target, ok bool) {
	if a.Verb != decision.Scale && a.Verb != decision.Create {
		return of, at, false
	}
	for _, k := range f.Scales {
		if k.Kind == a.Object.Kind && k.GroupVersion().String() == a.Object.APIVersion {
			of, k, ok = f.others.first(func(one view.Kind) bool { return one.GroupKind() == k.GroupKind() })
			return of, Target{Kind: k, Namespace: a.Object.Namespace, Name: a.Object.Name}, ok && of.Step != nil
		}
	}
	return of, at, false
}

// decide decides on a dependent in a View. What that reads is noted as the target's,
// so that it is loaded and saved with what the target itself needs.
func (f *follower) decide(e *effect, left *view.View, doubt *decision.Caveat) (err error) {
	over := left.Reader()
	e.Sync, err = e.of.Step(over, f.profile, e.at)
	for _, read := range over.Asked() {
		required := read.Required()
		if required {
			read.Without = "what " + e.at.Name + " does to its pods is not known"
		}
		if failed := f.r.Err(read.Need); failed != nil && required && err == nil {
			err = failed
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e.cause.Object, err)
	}
	d := e.Decision
	if f.r.WhatIf() { // so that the sentence says would, not will
		d.WhatIf = []decision.Change{{Object: d.Target}}
	}
	if doubt != nil {
		d.Doubt(*doubt)
	}
	// The target's own answer says whether anybody acts.
	d.Evidence = slices.DeleteFunc(d.Evidence, func(e decision.Evidence) bool { return lease.Tells(e.Rule) })
	e.of.Rules.Phrase(d)
	d.Answer = e.of.Answer(d)
	return nil
}

// shareRoom has dependents create their Pods from the same quotas. They are synced
// side by side, so that where not all fit, chance says which get how many.
func (f *follower) shareRoom(d *decision.Decision, all []effect, left *view.View) {
	var creating []*effect
	for i := range all {
		if all[i].Decision.Summary.Create > 0 {
			creating = append(creating, &all[i])
		}
	}
	if len(creating) < 2 || f.allFit(creating, left) {
		return
	}
	why := fmt.Sprintf("quotas have no room for all pods that %d %ss create at the same time: which of them get how many is not deterministic", len(creating), creating[0].at.Kind.Kind)
	d.AddCaveat(admission.InDoubt, why)
	for i, e := range f.inTurn(creating, left, &decision.Caveat{Code: admission.InDoubt, Message: why}) {
		creating[i].Sync = e.Sync
	}
}

// allFit reports whether each creates as many when those before it have.
func (f *follower) allFit(creating []*effect, left *view.View) bool {
	after := f.inTurn(creating, left, nil)
	for i, e := range creating {
		if i >= len(after) || after[i].Decision.Summary.Create < e.Decision.Summary.Create {
			return false
		}
	}
	return true
}

// inTurn decides on dependents one after another, each with the room that those
// before it left, up to one that can't be decided.
func (f *follower) inTurn(creating []*effect, left *view.View, doubt *decision.Caveat) []effect {
	m := cluster.New(left, admission.FeaturesOf(f.profile.Kubernetes))
	var out []effect
	for _, e := range creating {
		next := *e
		if err := f.decide(&next, m.View(), doubt); err != nil {
			break
		}
		for i := range next.Writes {
			m.Charge(&next.Writes[i])
		}
		out = append(out, next)
	}
	return out
}
