package cloneset

import (
	"cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// nextSync says what brings the target back into the queue.
func (s *sync) nextSync() {
	if s.Outcome.Panicked != nil && !s.Behaviour.Recovers {
		s.Decision.NextSync = s.Decision.Limits[len(s.Decision.Limits)-1]
		return
	}
	if err := cmp.Or(s.Outcome.StatusErr, s.Outcome.Panicked, s.Outcome.Err()); err != nil {
		s.Decision.Requeue, s.Decision.NextSync = decision.RequeueFailed, decision.Ruled(rules.RetryLater, decision.F("error", err.Error()))
		return
	}
	s.Decision.NextSync = decision.Ruled(rules.NextOnPodEvent)
	if after, why := s.Timers.First(); after > 0 {
		s.Decision.After, s.Decision.NextSync = after, why
	}
}
