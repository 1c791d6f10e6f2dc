package simulate

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Dependent is an object that the target scales, with its own controller.
type Dependent struct {
	Name string
	Sync Controller
}

// chain is one pass over the target's controller and those of its dependents, each
// on what the one before it left. All of it happens in one instant.
type chain struct {
	// decisions are those of all syncs, the target's first.
	decisions []*decision.Decision
	// done are the actions of all syncs, as they happened.
	done []decision.Action
	// changed: something is other than before, which a controller may act on.
	// chance decided something, and the counts hang on it where that is uneven.
	changed, chance, uneven bool
	// left are why the dependents leave something undone.
	left []decision.Ruling
}

// prepare gathers what is known of the Pods of all dependents before the clock
// starts.
func (r *run) prepare(s *Sync) (missing bool, err error) {
	var all []*Sync
	for _, dep := range r.o.Below(r.model.View()) {
		d, reader, err := r.ask(dep.Sync, r.syncs == 1)
		if err != nil || reader.Provisional() {
			return reader.Provisional(), err
		}
		all = append(all, d)
		s.count(dep.Name, d)
	}
	s.StartUps = func() (seen []StartUp) {
		for _, d := range all {
			seen = append(seen, d.StartUps()...)
		}
		return seen
	}
	s.Begin = func(m *cluster.Model) {
		for _, d := range all {
			d.Begin(m)
		}
	}
	return false, nil
}

// count adds the Pods of a dependent.
func (s *Sync) count(name string, d *Sync) {
	for _, p := range d.Pods {
		p.Revision, p.Updated = name, name == s.Latest
		s.Pods = append(s.Pods, p)
	}
	s.Terminating += d.Terminating
}

// descend commits the target's sync, and then those of its dependents.
func (r *run) descend(s *Sync) (missing bool, err error) {
	s.chain, s.Pods, s.Terminating = &chain{}, nil, 0
	if err := r.link(s, s); err != nil {
		return false, err
	}
	for _, dep := range r.o.Below(r.model.View()) {
		d, reader, err := r.ask(dep.Sync, r.syncs == 1)
		if err != nil || reader.Provisional() {
			return reader.Provisional(), err
		}
		r.work += len(d.Pods)
		s.count(dep.Name, d)
		if err := r.link(s, d); err != nil {
			return false, err
		}
		why, _ := d.Left()
		for _, because := range why {
			because.Message = d.Say(because)
			s.chain.left = append(s.chain.left, because)
		}
		r.caveats(d.Decision)
	}
	return false, nil
}

// link commits what one sync of the chain writes.
func (r *run) link(s, d *Sync) error {
	picked, chance := pick(d.Decision.Actions)
	if err := r.tooMany(picked); err != nil {
		return err
	}
	done, changed := d.commit(r.model, picked)
	r.model.Settle()
	for i := range done {
		done[i].Message = d.Say(done[i].Ruling)
	}
	c := s.chain
	c.decisions, c.done = append(c.decisions, d.Decision), append(c.done, done...)
	c.changed, c.chance = c.changed || changed, c.chance || chance
	c.uneven = c.uneven || chance && uneven(d.Decision.Actions, d.Pods)
	return nil
}

// timer is after how long a controller looks again by itself, the first of all. A
// sync that failed is tried again as well, but comes to the same unless something
// else changes.
func (s *Sync) timer() (after time.Duration, ok bool) {
	decisions := []*decision.Decision{s.Decision}
	if s.chain != nil {
		decisions = s.chain.decisions
	}
	for _, d := range decisions {
		if d.After > 0 && (!ok || d.After < after) {
			after, ok = d.After, true
		}
	}
	return after, ok
}

// why is what the controllers leave undone: the target's own reasons, and then those
// of its dependents, which no spec of the target holds.
func (s *Sync) why() (why []decision.Ruling, bySpec bool) {
	why, bySpec = s.Left()
	for i := range why {
		why[i].Message = s.Say(why[i])
	}
	if s.chain == nil || len(s.chain.left) == 0 {
		return why, bySpec
	}
	return append(s.chain.left, why...), false
}

// merges reports whether what happens now is part of the last round: the
// controllers of a chain act one after the other in one instant.
func (r *run) merges() bool {
	n := len(r.tl.Rounds)
	return r.last.chain != nil && n > 0 && r.tl.Rounds[n-1].Clock == r.clock()
}

// Below lists the dependents of the target in a View.
type Below func(v *view.View) []Dependent
