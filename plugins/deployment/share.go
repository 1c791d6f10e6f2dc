package deployment

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// share is what one set gets of the replicas to add, negative ones to remove.
type share struct {
	n    int32
	fact decision.Fact
}

// shares mirrors the first loop of scale (sync.go, v1.37.1), and returns what
// is left over.
func (s *sync) shares(sets []*appsv1.ReplicaSet, add int32) ([]share, int32) {
	out := make([]share, len(sets))
	added := int32(0)
	for i, rs := range sets {
		out[i] = s.share(rs, add, added)
		added += out[i].n
	}
	return out, add - added
}

// share mirrors GetReplicaSetProportion (util/deployment_util.go, v1.37.1).
func (s *sync) share(rs *appsv1.ReplicaSet, add, added int32) share {
	if add == 0 || add == added {
		return share{0, decision.F(keyProportion, 0)}
	}
	fraction, of := s.fraction(rs)
	n, op := min(fraction, add-added), "min(fraction, not yet added)"
	if add < 0 {
		n, op = max(fraction, add-added), "max(fraction, not yet removed)"
	}
	return share{n, decision.Derived(keyProportion, n, op, of, decision.F(keyNotYet, add-added))}
}

// fraction mirrors getReplicaSetFraction: the set keeps its share of the
// largest size that the Deployment had when the set was last scaled.
func (s *sync) fraction(rs *appsv1.ReplicaSet) (int32, decision.Fact) {
	size := replicasOf(rs)
	if s.limits.desired == 0 {
		return -size, decision.Derived(keyFraction, -size, "−replicas, nothing is desired")
	}
	limit := s.limits.desired + s.limits.surge
	before, path := s.maxBefore(rs)
	if before == 0 && s.behaviour.strictSizes {
		return 0, decision.Derived(keyFraction, 0, "0, no size is known from before")
	}
	n := round(float64(size*limit)/float64(before)) - size
	return n, decision.Derived(keyFraction, n, "round(replicas × maxReplicas / maxReplicasBefore) − replicas",
		decision.F(keyReplicas, size),
		decision.Derived(keyMaxReplicas, limit, "desired + maxSurge"),
		decision.At(keyMaxReplicasBefore, before, path))
}

// maxBefore is the largest size that the set remembers, or the Deployment's
// present number of pods.
func (s *sync) maxBefore(rs *appsv1.ReplicaSet) (int32, string) {
	n, ok := s.behaviour.size(rs, maxKey)
	if !ok || n == 0 && s.behaviour.strictSizes {
		return s.d.Status.Replicas, "status.replicas"
	}
	return n, "metadata.annotations[" + maxKey + "]"
}

// round mirrors RoundToInt32 of k8s.io/utils/integer.
func round(f float64) int32 {
	if f < 0 {
		return int32(f - 0.5)
	}
	return int32(f + 0.5)
}
