package controller

import (
	"cmp"
	"fmt"

	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Simulate decides as Run does, and puts the rounds that follow into the
// Decision's Timeline. The Readers tell what was read for it; while one of
// them misses something, there is no Timeline.
func (c Controller) Simulate(v *view.View, prof profile.Profile, t Target, changes []decision.Change, o simulate.Options) (_ *decision.Decision, _ []*view.Reader, err error) {
	defer Caught(t, &err)
	if c.Step == nil {
		return nil, nil, c.notSimulated(t)
	}
	if err = c.unsaved(v.Reader(), t); err != nil {
		return nil, nil, err
	}
	var first *decision.Decision
	var used []*view.Reader
	if c.leads() { // what follows its first sync is shown as well
		r := v.Reader()
		used = append(used, r)
		if first, err = c.predict(r, prof, t); err != nil {
			return nil, used, err
		}
		if r.Provisional() {
			return &decision.Decision{}, used, nil
		}
	}
	o.Profile = prof
	res, err := simulate.Run(v, t, c.actors(t.Kind, prof), o)
	used = append(used, res.Readers...)
	if err != nil {
		return nil, used, err
	}
	if res.First == nil {
		return &decision.Decision{}, used, nil // something is missing yet
	}
	for _, r := range used {
		if err := unread(r, t); err != nil {
			return nil, used, err
		}
	}
	d := cmp.Or(first, res.First)
	d.Simulate(res.Timeline)
	err = c.finish(d, used[0], prof, t, changes)
	for _, caveat := range res.Caveats {
		d.Warn(caveat)
	}
	NoteGaps(d, used...)
	if d.Timeline != nil {
		res.Rescaled(d.Rescaled)
		answer(d)
		d.Timeline.AddAnswer(lease.WithoutLeader(d))
	}
	d.Sum()
	return d, used, err
}

// answer completes the first line about the rounds with what is known of the Pods. Of a
// target that nothing is done about, it is the line about how the target stands.
func answer(d *decision.Decision) {
	t := d.Timeline
	switch {
	case d.Stuck() && d.State == decision.StateBlocked:
		t.Retell(d.Headline)
	case d.Stuck():
		t.Retell(d.Headline + unless(t.End))
	case t.Totals.Create > 0 || t.End.Outcome == decision.Blocked:
		t.AddAnswer(d.Today())
	default:
		if why := refusedToday(d); why != "" {
			t.AddAnswer(" Today they are refused: " + why + ".")
		}
	}
}

// refusedToday is what refuses the target's deletions or updates, which the rounds take for
// accepted under a what-if; empty where nothing does.
func refusedToday(d *decision.Decision) string {
	for _, c := range d.BlockedBy {
		if c.Refuses && c.Object == d.Target && d.Summary.Create == 0 {
			return c.Label
		}
	}
	return ""
}

// unless is what a target comes to whose Pods do not get on.
func unless(e decision.End) string {
	if e.Rule == simulate.EndRejected {
		return " It is blocked if " + e.Message + "."
	}
	return " It is blocked if that stays so."
}

// actors are the controllers that act about a target: its own, and those of the kinds
// that it scales.
func (c Controller) actors(k view.Kind, prof profile.Profile) []simulate.Actor {
	all := []simulate.Actor{c.actor(k, prof)}
	for _, scaled := range c.Scales {
		of, kind, modelled := c.others.first(func(one view.Kind) bool { return one.GroupKind() == scaled.GroupKind() })
		if modelled && of.Step != nil {
			all = append(all, of.actor(kind, prof))
		}
	}
	return all
}

// stepper is Controller.Step.
type stepper = func(r *view.Reader, p profile.Profile, t Target) (*simulate.Sync, error)

func (c Controller) actor(k view.Kind, prof profile.Profile) simulate.Actor {
	a := simulate.Actor{Kind: k, Step: c.stepping(c.Step, prof)}
	if c.Agent == nil {
		return a
	}
	a.Handle = c.Agent.Handle(k)
	if start := c.Agent.Memory; start != nil {
		a.Memory = func(clock clock.PassiveClock) (core.Memory, simulate.Step) {
			m := start(clock)
			return m, c.stepping(m.Step, prof)
		}
	}
	return a
}

// stepping decides by step, and looks at what may refuse creations.
//
//go:noinline
func (c Controller) stepping(step stepper, prof profile.Profile) simulate.Step {
	return func(r *view.Reader, t Target) (s *simulate.Sync, err error) {
		defer Caught(t, &err) // here, what was read up to now is not lost
		if s, err = step(r, prof, t); err == nil {
			c.review(s.Decision, r, t.Namespace)
		}
		return s, err
	}
}

// notSimulated is the error for targets whose controller is not simulated.
func (c Controller) notSimulated(t Target) error {
	asked := fmt.Sprintf("%s/%s/%s: the rounds of a %s are not simulated", t.Kind.Resource, t.Namespace, t.Name, t.Kind.Kind)
	return fmt.Errorf("%s: ask for its next step without --rounds and --until-stable", asked)
}
