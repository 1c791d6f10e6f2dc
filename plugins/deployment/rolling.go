package deployment

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// roll mirrors rolloutRolling (rolling.go, v1.37.1): up first, and down in a
// sync that had nothing to bring up.
func (s *sync) roll() error {
	if err := s.ensureNew(true); err != nil {
		return err
	}
	scaled, err := s.rollUp()
	if err != nil {
		return err
	}
	if scaled || s.rollDown() {
		return s.syncRolloutStatus()
	}
	return s.settle()
}

// settle ends a rollout step that scaled nothing down.
func (s *sync) settle() error {
	if isComplete(s.d, s.d.Status) {
		if err := s.cleanup(); err != nil {
			return err
		}
	}
	return s.syncRolloutStatus()
}

// rollUp mirrors reconcileNewReplicaSet.
func (s *sync) rollUp() (bool, error) {
	rs, desired := s.sets.newRS, s.limits.desired
	if replicasOf(rs) > desired {
		scaled, _, err := s.scale(rs, desired, decision.Ruled(ScaleNewDown, s.limits.desiredFact()))
		return scaled, err
	}
	if replicasOf(rs) == desired {
		return false, nil
	}
	size, facts, err := s.newSize(s.sets.all(), rs)
	if err != nil {
		return false, err
	}
	s.counted(facts...)
	if size == replicasOf(rs) {
		s.hold(SurgeUsedUp, ownership.RefTo(view.ReplicaSets, rs), facts...)
	}
	scaled, _, err := s.scale(rs, size, decision.Ruled(ScaleNewUp, facts...))
	return scaled, err
}

// rollDown mirrors reconcileOldReplicaSets, which swallows its errors: a step
// that fails counts as none, whatever it did before.
func (s *sync) rollDown() bool {
	old := active(s.sets.oldRSs)
	if len(old) == 0 {
		return false
	}
	budget, facts := s.downBudget()
	s.counted(facts)
	if budget <= 0 {
		s.hold(NewPodsNotAvailable, s.ref, facts)
		return false
	}
	cleaned, err := s.cleanUnhealthy(old, budget, facts)
	if err != nil {
		return false
	}
	down, err := s.scaleOldDown(old)
	return err == nil && cleaned+down > 0
}

// downBudget is maxScaledDown: what is left of all pods when those that have
// to stay available and the new ones that are not yet are taken off.
func (s *sync) downBudget() (int32, decision.Fact) {
	newRS := s.sets.newRS
	all, late := sum(s.sets.all(), replicasOf), replicasOf(newRS)-available(newRS)
	budget := all - s.limits.minAvailable() - late
	return budget, decision.Derived(keyMaxScaledDown, budget, "allPodsCount − minAvailable − newRSUnavailablePodCount",
		decision.F(decision.KeyAllPodsCount, all),
		s.limits.minAvailableFact(),
		decision.Derived(keyNewRSUnavailablePodCount, late, "newRS − newRSAvailable",
			decision.At(keyNewRS, replicasOf(newRS), "spec.replicas of the new ReplicaSet"),
			decision.At(keyNewRSAvailable, available(newRS), "status.availableReplicas of the new ReplicaSet")))
}

// cleanUnhealthy mirrors cleanupUnhealthyReplicas: pods of old sets that are
// not available go first, the oldest set's before others. sets are replaced by
// what the API server has then. A set with more available than wanted pods,
// which was just scaled down, fails the step.
func (s *sync) cleanUnhealthy(sets []*appsv1.ReplicaSet, budget int32, facts decision.Fact) (int32, error) {
	done := int32(0)
	for i, rs := range slices.Clone(sets) {
		if done >= budget {
			break
		}
		size := replicasOf(rs)
		if size == available(rs) {
			continue
		}
		n := min(budget-done, size-available(rs))
		if n < 0 {
			s.hold(OldNotSettled, ownership.RefTo(view.ReplicaSets, rs),
				decision.At(keyReplicas, size, "spec.replicas"), decision.At(keyAvailable, available(rs), "status.availableReplicas"))
			return done, errNotSettled
		}
		_, stored, err := s.scale(rs, size-n, decision.Ruled(CleanUnhealthy,
			decision.Derived(keyScaledDownCount, n, "min(maxCleanupCount, replicas − available)",
				decision.Derived(keyMaxCleanupCount, budget-done, "maxScaledDown − done", facts, decision.F(keyDone, done)),
				decision.At(keyReplicas, size, "spec.replicas"), decision.At(keyAvailable, available(rs), "status.availableReplicas"))))
		if err != nil {
			s.swallow(rs, err)
			return done, err
		}
		done += n
		sets[i] = stored
	}
	return done, nil
}

// scaleOldDown mirrors scaleDownOldReplicaSetsForRollingUpdate. What is
// available is counted as before the sync, also when cleaning up has just
// taken pods away.
func (s *sync) scaleOldDown(old []*appsv1.ReplicaSet) (int32, error) {
	have := sum(old, available) + available(s.sets.newRS)
	budget := have - s.limits.minAvailable()
	facts := decision.Derived(keyTotalScaleDownCount, budget, "availablePodCount − minAvailable",
		decision.F(decision.KeyAvailablePodCount, have), s.limits.minAvailableFact())
	s.counted(facts)
	if budget <= 0 {
		s.hold(AvailabilityAtMinimum, s.ref, facts)
		return 0, nil
	}
	done := int32(0)
	for _, rs := range old {
		size := replicasOf(rs)
		if done >= budget || size == 0 {
			continue
		}
		n := min(size, budget-done)
		if _, _, err := s.scale(rs, size-n, decision.Ruled(ScaleOldDown,
			decision.Derived(keyScaleDownCount, n, "min(replicas, totalScaleDownCount − done)",
				decision.At(keyReplicas, size, "spec.replicas"), facts, decision.F(keyDone, done)))); err != nil {
			s.swallow(rs, err)
			return done, err
		}
		done += n
	}
	return done, nil
}
