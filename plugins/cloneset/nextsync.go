package cloneset

import (
	"cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// nextSync says what brings the target back into the queue.
func (s *sync) nextSync() decision.Next {
	if s.Outcome.Panicked != nil && !s.Behaviour.Recovers {
		return decision.Next{Ruling: s.Decision.Limits[len(s.Decision.Limits)-1]}
	}
	if err := cmp.Or(s.Outcome.StatusErr, s.Outcome.Panicked, s.Outcome.Err()); err != nil {
		return retry(err)
	}
	if after, why := s.Timers.First(); after > 0 {
		return decision.Next{Ruling: why, After: after}
	}
	return decision.Next{Ruling: decision.Ruled(rules.NextOnEvent)}
}

// retry is the next sync after one that fails.
func retry(err error) decision.Next {
	return decision.Next{Ruling: decision.Ruled(rules.RetryWithBackoff, decision.F(rules.KeyError, err.Error())), Requeue: decision.RequeueFailed}
}
