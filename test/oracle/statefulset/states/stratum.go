package states

// stratum is what a state is about. A state drawn without one hardly ever gets as
// far as an update: one Pod that is not ready ends the sync before it.
type stratum int

const (
	anything stratum = iota
	// rollout: all Pods are there and most are available; revisions differ.
	rollout
	// scaling: Pods are missing or too many, the others available.
	scaling
	// storage: claims in all conditions, under retention policies.
	storage
	// history: revisions equal, old, orphaned, too many.
	history
	// strangers: Pods to adopt and to release, and those of others.
	strangers
	// refusals: the API server refuses requests.
	refusals
	// crowd: more Pods than a batch of concurrent requests has.
	crowd
	// idle: nothing to do but for, at times, the status.
	idle
)

func (s *scene) drawStratum() stratum {
	switch n := s.IntN(200); {
	case n < 50:
		return rollout
	case n < 85:
		return scaling
	case n < 115:
		return storage
	case n < 135:
		return history
	case n < 150:
		return strangers
	case n < 172:
		return refusals
	case n < 174:
		return crowd
	case n < 182:
		return idle
	}
	return anything
}

// healthy is how many Pods in a hundred are available.
func (s *scene) healthy() int {
	switch s.stratum {
	case rollout, history:
		return pick(s.draw, 100, 95, 80)
	case scaling, storage, strangers:
		return pick(s.draw, 100, 100, 90, 60)
	case crowd:
		return pick(s.draw, 100, 99, 50)
	case idle:
		return 100
	}
	return pick(s.draw, 100, 90, 70, 40)
}

// size is how many replicas are desired.
func (s *scene) size() int32 {
	switch {
	case s.stratum == crowd && s.chance(30):
		return int32(s.between(480, 520))
	case s.stratum == crowd:
		return int32(s.between(20, 120))
	}
	return int32(mostly(s.draw, s.between(1, 5), 12, 0, 7, 10, 12))
}

// maxUnavailable is the gate of spec.updateStrategy.rollingUpdate.maxUnavailable.
const maxUnavailable = "MaxUnavailableStatefulSet"

// counts reports whether maxUnavailable counts: by default in 1.35.0 to 1.35.3 and
// from 1.37 on.
func (s *scene) counts() bool {
	if on, set := s.gates[maxUnavailable]; set {
		return on
	}
	v := s.modelled
	return v.AtLeast(37, 0) || v.AtLeast(35, 0) && !v.AtLeast(35, 4)
}

// drawGates sets gates other than by default, where the version lets them be set.
func (s *scene) drawGates() map[string]bool {
	if s.chance(40) {
		return nil
	}
	gates := map[string]bool{}
	toggle := func(percent int, gate string, by bool) {
		if s.chance(percent) {
			gates[gate] = by
		}
	}
	v := s.modelled
	toggle(40, maxUnavailable, !s.counts())
	if !v.AtLeast(32, 0) {
		toggle(12, "StatefulSetAutoDeletePVC", false)
		toggle(8, "PodIndexLabel", false)
	}
	if !v.AtLeast(31, 0) {
		toggle(8, "StatefulSetStartOrdinal", false)
	}
	if v.AtLeast(34, 2) {
		toggle(15, "StatefulSetSemanticRevisionComparison", false)
	}
	if v.AtLeast(37, 0) {
		toggle(30, "StatefulSetRecreateStrategy", true)
	}
	return gates
}
