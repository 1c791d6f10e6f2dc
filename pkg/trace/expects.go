package trace

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/journal"
)

// expectations tells what becomes of a record of a controller's memory.
func (e *Engine) expectations(c *runner, did journal.Did, x *journal.Expects) {
	if e.o.Internals != nil && !e.o.Brief {
		e.emit(&journal.Entry{Type: journal.Stepped, Step: &journal.Step{
			Part: journal.ExpectationsPart, Source: journal.Modelled, Resource: c.Kind.Resource, Did: did, Expects: x,
		}})
	}
}

// raises tells what a sync expects, and that it went by nothing that has expired.
func (e *Engine) raises(s *shadow, d *decision.Decision) {
	key := s.target.Key()
	if was := d.Expectations.Before; outstands(was) && !was.Expires.IsZero() && was.Expires.Before(d.AsOf) {
		e.expectations(s.c, journal.Expired, &journal.Expects{Key: key, Record: was})
	}
	if now := d.Expectations.After; outstands(now) && now.Age == 0 {
		e.expectations(s.c, journal.Raised, &journal.Expects{Key: key, Record: now})
	}
}

func outstands(x *decision.Expectation) bool {
	return x != nil && (x.Adds > 0 || x.Dels > 0 || len(x.Versions) > 0)
}

// lowers tells what an event showed of what is expected.
func (e *Engine) lowers(c *runner, x journal.Effect, by decision.Ref) {
	if x.Before == nil || x.After != nil && *x.After == *x.Before {
		return
	}
	e.expectations(c, journal.Lowered, &journal.Expects{
		Key: keyOf(x.Target.Namespace, x.Target.Name), Observed: x.Observed, By: by.String(), Before: x.Before, After: x.After,
	})
}
