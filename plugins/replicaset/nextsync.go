package replicaset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// nextSync says what brings the target back into the queue (the end of
// syncReplicaSet and processNextWorkItem, replica_set.go, v1.37.1).
func (s *sync) nextSync() decision.Next {
	onEvent := decision.Next{Ruling: decision.Ruled(NextOnEvent)}
	if s.err != nil {
		return decision.Next{Ruling: decision.Ruled(RetryWithBackoff, decision.F(keyError, s.err.Error())), Requeue: decision.RequeueFailed}
	}
	if s.set.Spec.MinReadySeconds <= 0 {
		return onEvent
	}
	next := s.nextStatus()
	wait := time.Duration(s.set.Spec.MinReadySeconds) * time.Second
	if !s.behaviour.precise {
		if next.ReadyReplicas == int32(s.set.want()) && next.AvailableReplicas != int32(s.set.want()) {
			return s.checkAfter(wait)
		}
		return onEvent
	}
	if next.ReadyReplicas == next.AvailableReplicas {
		return onEvent
	}
	if d, ok := s.firstAvailable(wait); ok {
		wait = d
	}
	return s.checkAfter(wait)
}

// firstAvailable is when the next of the ready pods becomes available
// (FindMinNextPodAvailabilityCheck, controller_utils.go, v1.37.1).
func (s *sync) firstAvailable(wait time.Duration) (time.Duration, bool) {
	first, found := time.Duration(0), false
	for _, p := range s.claims.active {
		ready, since := view.Readiness(p)
		if !ready || since.IsZero() {
			continue
		}
		if d := since.Add(wait).Sub(s.now); d > 0 && (!found || d < first) {
			first, found = d, true
		}
	}
	return first, found
}

func (t *target) checkAfter(d time.Duration) decision.Next {
	return decision.Next{After: d, Ruling: decision.Ruled(AvailabilityCheck,
		decision.F(keyAfter, d.String()), decision.F(keyAt, format.Instant(t.now.Add(d))),
		decision.At(keyMinReadySeconds, t.set.Spec.MinReadySeconds, "spec.minReadySeconds"))}
}
