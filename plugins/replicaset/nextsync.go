package replicaset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
)

// nextSync says what brings the target back into the queue (the end of
// syncReplicaSet and processNextWorkItem, replica_set.go, v1.37.1).
func (s *sync) nextSync() {
	s.d.NextSync = s.nextSyncRuling()
}

func (s *sync) nextSyncRuling() decision.Ruling {
	if s.err != nil {
		s.d.Requeue = decision.RequeueFailed
		return decision.Ruled(RetryWithBackoff, decision.F("error", s.err.Error()))
	}
	if s.set.Spec.MinReadySeconds <= 0 {
		return decision.Ruled(NextOnEvent)
	}
	next := s.nextStatus()
	wait := time.Duration(s.set.Spec.MinReadySeconds) * time.Second
	if !s.behaviour.precise {
		if next.ReadyReplicas == int32(s.set.want()) && next.AvailableReplicas != int32(s.set.want()) {
			return s.checkAfter(wait)
		}
		return decision.Ruled(NextOnEvent)
	}
	if next.ReadyReplicas == next.AvailableReplicas {
		return decision.Ruled(NextOnEvent)
	}
	if d, ok := s.firstAvailable(wait); ok {
		wait = d
	}
	return s.checkAfter(wait)
}

// firstAvailable is when the next of the ready pods becomes available
// (FindMinNextPodAvailabilityCheck, controller_utils.go).
func (s *sync) firstAvailable(wait time.Duration) (time.Duration, bool) {
	first, found := time.Duration(0), false
	for _, p := range s.claims.active {
		ready, since := readiness(p)
		if !ready || since.IsZero() {
			continue
		}
		if d := since.Add(wait).Sub(s.now); d > 0 && (!found || d < first) {
			first, found = d, true
		}
	}
	return first, found
}

func (s *sync) checkAfter(d time.Duration) decision.Ruling {
	s.d.After = d
	return decision.Ruled(AvailabilityCheck,
		decision.F("after", d.String()), decision.F("at", wording.Instant(s.now.Add(d))),
		decision.At("minReadySeconds", s.set.Spec.MinReadySeconds, "spec.minReadySeconds"))
}
