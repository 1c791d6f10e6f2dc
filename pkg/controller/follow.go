package controller

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// predict is the next sync of the target, and what follows it at once: the retry of
// one that fails on its own write, and what is done about the objects that it
// scales, by their own controllers.
func (c Controller) predict(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	if !c.leads() {
		return c.Decide(r, p, t)
	}
	var due []Target
	if c.Due != nil {
		due = c.Due(r, p, t)
	}
	return c.follow(r, p, t, c.actors(t.Kind, p), due)
}

// settled is the next sync of the target with its retries as one, and without what
// other controllers do about it.
func (c Controller) settled(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	if !c.leads() {
		return c.Decide(r, p, t)
	}
	d, err := c.follow(r, p, t, []simulate.Actor{c.actor(t.Kind, p)}, nil)
	if err != nil {
		return nil, err
	}
	for _, e := range d.Follows {
		d.Do(e.Actions...)
	}
	return d, nil
}

// leads reports whether something follows a sync at once.
func (c Controller) leads() bool { return c.Step != nil && len(c.Scales) > 0 }

// follow is the next sync of the target with what these actors do at once, about what it
// changes and about what is due anyway.
func (c Controller) follow(r *view.Reader, p profile.Profile, t Target, actors []simulate.Actor, due []Target) (*decision.Decision, error) {
	chain, err := simulate.Follow(r, t, actors, due, simulate.Options{Profile: p})
	if err != nil {
		return nil, err
	}
	f := &follower{Controller: c, Chain: chain, r: r, d: chain.Own[0].Decision, doubts: []*decision.Caveat{nil}}
	for i := range f.Others {
		f.note(&f.Others[i])
	}
	f.shareRoom()
	for i := range f.Own {
		f.retry(i)
		f.others(i)
	}
	for _, gap := range r.Gaps() {
		f.d.Warn(decision.Caveat(gap).Whole())
	}
	sayOnce(f.d)
	return f.d, nil
}

// follower says with a target's next sync what follows it.
type follower struct {
	Controller
	*simulate.Chain
	r *view.Reader
	d *decision.Decision
	// doubts are what each of Own depends on that may not happen; nil for nothing.
	doubts []*decision.Caveat
	// crowded are those of Others that share quotas without room for all, with what
	// each depends on.
	crowded map[decision.Ref]*decision.Caveat
}

// note notes what a sync reads as the target's, so that it is loaded and saved with
// what the target itself needs. Without what is required, the sync is not known.
func (f *follower) note(l *simulate.Link) {
	none := f.makesNone(l)
	for _, read := range l.Reader.Asked() {
		required := read.Required()
		switch {
		case required && none && read.Kind.GroupKind() == f.Makes().GroupKind():
			read.IfMissing, required = view.TakenAsNone, false
		case required:
			read.IfMissing = "what " + l.Target.Name + " does to its Pods is not known"
		}
		if failed := f.r.Err(read.Need); failed != nil && required && l.Err == nil {
			l.Err = failed
		}
	}
}

// makesNone reports whether files hold none of what a sync's target makes, and its status
// counts none: then nothing is missing.
func (f *follower) makesNone(l *simulate.Link) bool {
	obj, found := l.Reader.Held(l.Target.Kind, l.Target.Namespace, l.Target.Name)
	return found && f.r.TakenAsNone(f.Makes(), obj)
}

// retry says what the target's own sync of a number does, if it is a retry. What
// users ask for is often done there: the first sync only brought annotations up to date.
func (f *follower) retry(i int) {
	l := &f.Own[i]
	if i > 0 {
		for _, read := range l.Reader.Asked() {
			_ = f.r.Err(read.Need)
		}
	}
	if l.Err != nil {
		f.d.AddCaveat(decision.FollowUpUnknown, fmt.Sprintf("what the retry of %s does is not known: %v", f.d.Target, l.Err))
		return
	}
	if i > 0 {
		f.refusals(i)
		f.phrase(f.Controller, l.Decision, f.doubts[i])
	}
	f.doubts = append(f.doubts, f.doubtOfSync(i))
	f.d.RollOn(l.Decision)
	if d := l.Decision; i > 0 && len(d.Actions) > 0 {
		f.d.Follow(decision.Effect{
			Cause: f.d.Target, Answer: d.Answer, Summary: d.Summary, Actions: d.Actions, Evidence: d.Evidence, Due: f.Own[i-1].Reports(),
		})
		f.overtaken(d)
	}
}

// refusals has a retry know what refuses the Pods that are created because of it.
func (f *follower) refusals(i int) {
	for n := range f.Others {
		l := &f.Others[n]
		if l.By != i || l.Err != nil || l.Due {
			continue
		}
		if of, _, _ := f.Controller.others.ForRef(l.Cause.Object); of.Refusal != nil {
			f.Own[i].Decision.Follow(decision.Effect{Cause: l.Cause.Object, Refusal: of.Refusal(l.Decision)})
		}
	}
}

// overtaken drops what kept the first sync from scaling what its retry scales.
func (f *follower) overtaken(retry *decision.Decision) {
	for _, a := range retry.Actions {
		if a.Verb == decision.Scale {
			f.d.DropEvidenceOf(a.Object)
		}
	}
}

// phrase completes what is decided about a sync that follows.
func (f *follower) phrase(of Controller, d *decision.Decision, doubt *decision.Caveat) {
	if f.r.WhatIf() { // so that the sentence says would, not will
		d.Assume([]decision.Change{{Object: d.Target}})
	}
	if doubt != nil {
		d.Doubt(*doubt)
	}
	d.Phrase(of.Rules, of.answer)
}

// doubtOfSync is what the retry of an own sync depends on: what it finds is what that
// sync left.
func (f *follower) doubtOfSync(i int) *decision.Caveat {
	for _, a := range f.Own[i].Decision.Actions {
		if doubt := f.doubtOf(i, a); doubt != nil {
			return doubt
		}
	}
	return f.doubts[i]
}

// doubtOf is what an action of an own sync depends on, and with it what follows from
// it; nil for one that is certain, and of a sync that is.
func (f *follower) doubtOf(i int, a decision.Action) *decision.Caveat {
	if a.Certainty == decision.Certain && f.doubts[i] == nil {
		return nil
	}
	if why := f.Own[i].Doubt(); why != nil {
		return why
	}
	return f.doubts[i]
}

// sayOnce drops caveats of what follows that the Decision itself has.
func sayOnce(d *decision.Decision) {
	for i := range d.Follows {
		e := &d.Follows[i]
		e.Caveats = slices.DeleteFunc(slices.Clone(e.Caveats), func(c decision.Caveat) bool { return c.In(d.Caveats) })
	}
}

// others says what is done about the objects that an own sync is the last to scale or
// to create, and with the first one about those that have something to do anyway.
func (f *follower) others(i int) {
	for _, l := range f.Others {
		if l.By != i {
			continue
		}
		if l.Err != nil {
			f.d.AddCaveat(decision.FollowUpUnknown, fmt.Sprintf("what %s does next is not known: %v", l.Cause.Object, l.Err))
			continue
		}
		d := l.Decision
		f.again(&l)
		if l.Due && len(d.Actions) == 0 {
			continue
		}
		if l.Cause.Verb == decision.Create && len(d.Actions) == 0 && len(d.Evidence) == 0 {
			continue // made without Pods
		}
		doubt := f.crowded[l.Cause.Object]
		if doubt == nil {
			doubt = f.doubtOf(i, l.Cause)
		}
		of, _, _ := f.Controller.others.ForRef(l.Cause.Object)
		f.phrase(of, d, doubt)
		e := decision.Effect{
			Cause: l.Cause.Object, Answer: d.Answer, Summary: d.Summary, Actions: d.Actions,
			Ranking: d.Ranking, Later: d.Later, Evidence: d.Evidence, Caveats: d.Caveats, Due: l.Due,
			Refused: of.Agent != nil && l.Wanted > len(l.Pods) && !of.Agent.creates(d) && of.Agent.Refused(d, 0),
		}
		if of.Refusal != nil {
			e.Refusal = of.Refusal(d)
		}
		f.d.Follow(e)
	}
}

// again notes when the next sync of one comes that fails, or may fail as the last one did.
func (f *follower) again(l *simulate.Link) {
	of, _, _ := f.Controller.others.ForRef(l.Cause.Object)
	d := l.Decision
	if l.Due && (d.Requeue == decision.RequeueFailed || d.MayFail && d.Summary.Create > 0 && of.Agent != nil && of.Agent.Refused(d, 0)) {
		f.phrase(of, d, nil)
		f.d.Retry(decision.Retry{Object: l.Cause.Object, Ruling: d.NextSync})
	}
}

// shareRoom has Others create their Pods from the same quotas. They are synced side
// by side: where not all fit, it is not deterministic which get how many.
func (f *follower) shareRoom() {
	var creating []*simulate.Link
	for i := range f.Others {
		if l := &f.Others[i]; l.Creates() {
			creating = append(creating, l)
		}
	}
	if len(creating) < 2 || !slices.ContainsFunc(creating, crowded) {
		return
	}
	why := decision.Caveat{Code: admission.InDoubt, Message: fmt.Sprintf("quotas have no room for all Pods that %d %ss create at the same time: which of them get how many is not deterministic",
		len(creating), creating[0].Target.Kind.Kind)}
	f.d.AddCaveat(why.Code, why.Message)
	f.crowded = map[decision.Ref]*decision.Caveat{}
	for _, l := range creating {
		if l.InTurn != nil {
			l.Sync, f.crowded[l.Cause.Object] = l.InTurn, &why
		}
	}
}

// crowded reports whether a sync creates fewer Pods, or is not known, when those before
// it have created theirs.
func crowded(l *simulate.Link) bool {
	return l.InTurn == nil || l.InTurn.Decision.Summary.Create < l.Decision.Summary.Create
}
