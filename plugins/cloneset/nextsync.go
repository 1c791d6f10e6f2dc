package cloneset

import (
	"cmp"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// timer is a moment at which the set is looked at again (requeueduration).
type timer struct {
	after time.Duration
	decision.Ruling
}

// timers are the durations after which the set is looked at again.
type timers []timer

func (all *timers) push(t timer) { *all = append(*all, t) }

// timer pushes a duration; the shortest one counts, and none that is not
// positive.
func (s *sync) timer(after time.Duration, rule string, facts ...decision.Fact) {
	if after > 0 {
		facts = append(facts, decision.F("after", after.String()), decision.F("at", wording.Instant(s.now.Add(after))))
		s.timers.push(timer{after, decision.Ruled(rule, facts...)})
	}
}

// availabilityTimer: while ready pods are not available, the set is looked at
// again after minReadySeconds (the end of doReconcile, v1.9.1).
func (s *sync) availabilityTimer(next api.Status) {
	if s.err() == nil && next.AvailableReplicas != next.ReadyReplicas {
		s.timer(time.Duration(s.set.Spec.MinReadySeconds)*time.Second, rules.MinReadyCheck,
			decision.At("minReadySeconds", s.set.Spec.MinReadySeconds, s.set.Ref.String()+" spec.minReadySeconds"))
	}
}

// nextSync says what brings the target back into the queue.
func (s *sync) nextSync() {
	if s.outcome.panicked != nil && !s.behaviour.Recovers {
		s.d.NextSync = s.d.Limits[len(s.d.Limits)-1]
		return
	}
	if err := cmp.Or(s.outcome.statusErr, s.outcome.panicked, s.err()); err != nil {
		s.d.Requeue, s.d.NextSync = decision.RequeueFailed, decision.Ruled(rules.RetryLater, decision.F("error", err.Error()))
		return
	}
	s.d.NextSync = decision.Ruled(rules.NextOnPodEvent)
	first := time.Duration(0)
	for _, t := range s.timers {
		if first == 0 || t.after < first {
			first, s.d.NextSync = t.after, t.Ruling
		}
	}
	s.d.After = first
}
