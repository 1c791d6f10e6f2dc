package deployment

import (
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// isScalingEvent mirrors the function of that name (sync.go, v1.37.1): an
// active set remembers another number of replicas than the Deployment has.
func (s *sync) isScalingEvent() (bool, error) {
	if err := s.ensureNew(false); err != nil {
		return false, err
	}
	for _, rs := range active(s.sets.all()) {
		if was, ok := s.behaviour.size(rs, desiredKey); ok && was != s.limits.desired {
			s.way(ScalingEvent, s.limits.desiredFact(), decision.F(keySet, rs.Name),
				decision.At(keyWas, was, "replicaset/"+rs.Name+" metadata.annotations["+desiredKey+"]"))
			return true, nil
		}
	}
	return false, nil
}

// resize mirrors sync and scale (sync.go, v1.37.1): sizes follow the Deployment without
// going on with a rollout, because it was scaled or is paused.
func (s *sync) resize() error {
	if err := s.ensureNew(false); err != nil {
		return err
	}
	if err := s.spread(); err != nil {
		return err
	}
	if _, asked := rollbackTo(s.d); s.d.Spec.Paused && !asked {
		if err := s.cleanup(); err != nil {
			return err
		}
	}
	return s.syncStatus()
}

func (s *sync) spread() error {
	if rs, one := s.activeOrLatest(); one {
		_, _, err := s.scale(rs, s.limits.desired, decision.Ruled(ScaleOnlySet, s.limits.desiredFact()))
		return err
	}
	if s.isSaturated() {
		for _, rs := range active(s.sets.oldRSs) {
			if _, _, err := s.scale(rs, 0, decision.Ruled(NewSetSaturated, s.limits.desiredFact(), decision.F(keyNewRS, s.sets.newRS.Name))); err != nil {
				return err
			}
		}
		return nil
	}
	if s.limits.rolling {
		return s.proportionally()
	}
	return nil
}

// activeOrLatest mirrors FindActiveOrLatest: the only active set, or the
// newest when none is. It leaves the old sets newest first.
func (s *sync) activeOrLatest() (*appsv1.ReplicaSet, bool) {
	slices.Reverse(s.sets.oldRSs)
	all := s.sets.all()
	if len(all) == 0 {
		return nil, false
	}
	switch a := active(all); {
	case len(a) == 1:
		return a[0], true
	case len(a) > 1:
		return nil, false
	case s.sets.newRS != nil:
		return s.sets.newRS, true
	default:
		return s.sets.oldRSs[0], true
	}
}

// isSaturated mirrors IsSaturated: the new set has all replicas, knows that it
// should, and all are available.
func (s *sync) isSaturated() bool {
	rs := s.sets.newRS
	if rs == nil {
		return false
	}
	remembered, err := strconv.Atoi(rs.Annotations[desiredKey])
	return err == nil && int32(remembered) == s.limits.desired &&
		replicasOf(rs) == s.limits.desired && available(rs) == s.limits.desired
}

// proportionally shares out what is to be added or removed among the active
// sets by their size, the largest first; what rounding leaves goes to it.
func (s *sync) proportionally() error {
	sets := active(s.sets.all())
	allowed := int32(0)
	if s.limits.desired > 0 {
		allowed = s.limits.desired + s.limits.surge
	}
	total := sum(sets, replicasOf)
	add := allowed - total
	if add != 0 {
		sortBySize(sets, add > 0)
	}
	shares, left := s.shares(sets, add)
	for i, rs := range sets {
		to, leftover := replicasOf(rs)+shares[i].n, int32(0)
		if i == 0 && add != 0 {
			leftover = left
			to = max(0, to+leftover)
		}
		why := decision.Ruled(ScaleInProportion, decision.Derived(keyDeploymentReplicasToAdd, add, "allowedSize − allRSsReplicas",
			decision.Derived(keyAllowedSize, allowed, "desired + maxSurge, or 0 when nothing is desired", s.limits.desiredFact(), s.limits.surgeFact()),
			decision.F(keyAllRSsReplicas, total)), shares[i].fact, decision.F(keyLeftover, leftover))
		if to == replicasOf(rs) {
			why.Rule = NoteNewSizes
		}
		if _, _, err := s.resizeSet(rs, to, why); err != nil {
			return err
		}
	}
	return nil
}
