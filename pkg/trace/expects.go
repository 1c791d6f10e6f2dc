package trace

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// expectations tells what becomes of a record of a controller's memory.
func (e *Engine) expectations(c *runner, did entry.Did, x *entry.Expects) {
	if e.o.Internals != nil && !e.o.Brief {
		e.emit(&entry.Entry{Type: entry.Stepped, Step: &entry.Step{
			Part: entry.ExpectationsPart, Source: entry.Modelled, Resource: c.of.Kind.Resource, Did: did, Expects: x,
		}})
	}
}

// raises tells what a sync expects, that it ignored what has expired, and what of
// that its record replaces.
func (e *Engine) raises(s *shadow, d *decision.Decision, clobbered *decision.Expectation) {
	key := s.target.Key()
	if was := d.Expectations.Before; outstands(was) && !was.Expires.IsZero() && was.Expires.Before(d.AsOf) {
		e.expectations(s.c, entry.Expired, &entry.Expects{Key: key, Record: was})
	}
	if clobbered != nil {
		e.expectations(s.c, entry.Clobbered, &entry.Expects{Key: key, Record: clobbered})
	}
	if now := d.Expectations.After; outstands(now) && now.Age == 0 {
		s.raise(now)
		e.expectations(s.c, entry.Raised, &entry.Expects{Key: key, Record: now})
	}
}

// left are the records of a controller's memory that something is left of.
func (e *Engine) left(c *runner) (all []entry.Expects) {
	for _, s := range e.everyShadow() {
		if s.c != c || s.raised == nil {
			continue
		}
		if n := c.memory.Outstanding(s.target); n != nil && *n > 0 {
			r := *s.raised
			r.Age = decision.Span(e.clock.Since(r.Recorded))
			all = append(all, entry.Expects{Key: s.target.Key(), Record: &r, After: n})
		}
	}
	return all
}

func outstands(x *decision.Expectation) bool {
	return x != nil && (x.Adds > 0 || x.Dels > 0 || x.NewVersions > 0)
}

// lowers tells what an event showed of what is expected.
func (e *Engine) lowers(c *runner, x entry.Effect, by decision.Ref) {
	if x.Before == nil || x.After != nil && *x.After == *x.Before {
		return
	}
	e.expectations(c, entry.Lowered, &entry.Expects{
		Key: keyOf(x.Target.Namespace, x.Target.Name), Observed: x.Observed, By: by.String(), Before: x.Before, After: x.After,
	})
}
