package deployment

import (
	"slices"
	"sort"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// shown are the claimed sets as they were read, the oldest first, and the one
// that the sync created.
func (s *sync) shown() []*appsv1.ReplicaSet {
	newRS := s.sets.newRS
	if newRS == nil || s.sets.existing != nil || slices.Contains(s.claims.sets, newRS) {
		return s.claims.sets
	}
	return append(slices.Clone(s.claims.sets), newRS)
}

// setsOut are the sets, the new one first and the rest newest first.
func (s *sync) setsOut() []decision.Set {
	var out []decision.Set
	for _, rs := range s.shown() {
		out = append(out, s.setOut(rs))
	}
	slices.Reverse(out)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Role == decision.New && out[j].Role != decision.New })
	return out
}

func (s *sync) setOut(rs *appsv1.ReplicaSet) decision.Set {
	r := decision.Set{
		Object: ownership.RefTo(view.ReplicaSets, rs), Role: decision.Old, Revision: rs.Annotations[revisionKey],
		Replicas: replicasOf(rs), Next: replicasOf(rs), Available: available(rs), Actual: actual(rs),
		Deleting: rs.DeletionTimestamp != nil,
	}
	if s.sets.newRS != nil && rs.Name == s.sets.newRS.Name || s.sets.existing == rs {
		r.Role = decision.New
	}
	if next, ok := s.changed[rs.Name]; ok {
		r.Next = replicasOf(next)
		r.Revision = next.Annotations[revisionKey]
	}
	for _, a := range s.out.Actions {
		if a.Object.Name != rs.Name {
			continue
		}
		switch a.Verb {
		case decision.Create:
			r.Replicas = 0
		case decision.Delete:
			r.Deleted = true
		}
	}
	return r
}
