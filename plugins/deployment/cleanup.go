package deployment

import (
	"errors"
	"sort"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// cleanup mirrors cleanupDeployment (sync.go, v1.37.1): of the old sets beyond
// the history limit, those that are empty and settled go. Others are passed
// over, and no younger one goes in their place.
func (s *sync) cleanup() error {
	if !hasHistoryLimit(s.d) {
		return nil
	}
	var old []*appsv1.ReplicaSet
	for _, rs := range s.sets.oldRSs {
		if rs.DeletionTimestamp == nil {
			old = append(old, rs)
		}
	}
	excess := int32(len(old)) - *s.d.Spec.RevisionHistoryLimit
	if excess <= 0 {
		return nil
	}
	sort.Sort(byRevision(old))
	facts := decision.Derived(decision.KeyDiff, excess, "oldReplicaSets − revisionHistoryLimit",
		decision.F(keyOldReplicaSets, len(old)), decision.At(keyRevisionHistoryLimit, *s.d.Spec.RevisionHistoryLimit, "spec.revisionHistoryLimit"))
	for _, rs := range old[:excess] {
		if err := s.dropRevision(rs, facts); err != nil {
			return err
		}
	}
	return nil
}

func (s *sync) dropRevision(rs *appsv1.ReplicaSet, facts decision.Fact) error {
	if actual(rs) != 0 || replicasOf(rs) != 0 || rs.Generation > rs.Status.ObservedGeneration {
		s.hold(RevisionInUse, ownership.RefTo(view.ReplicaSets, rs), facts, decision.At(keyReplicas, replicasOf(rs), "spec.replicas"),
			decision.At(keyActual, actual(rs), "status.replicas"),
			decision.At(keyGeneration, rs.Generation, "metadata.generation"), decision.At(keyObservedGeneration, rs.Status.ObservedGeneration, "status.observedGeneration"))
		return nil
	}
	err := s.server.send(writeSet(cluster.Delete, rs), nil)
	if err == nil {
		s.act(decision.Delete, rs, decision.Ruled(DropRevision, facts,
			decision.At(keyRevision, rs.Annotations[revisionKey], "metadata.annotations["+revisionKey+"]")))
	}
	if errors.Is(err, cluster.ErrNotFound) {
		return nil
	}
	return err
}

// byRevision orders sets as ReplicaSetsByRevision does: by revision, and by
// creation where the revisions are equal or one is no number.
type byRevision []*appsv1.ReplicaSet

func (o byRevision) Len() int      { return len(o) }
func (o byRevision) Swap(i, j int) { o[i], o[j] = o[j], o[i] }
func (o byRevision) Less(i, j int) bool {
	a, aok := revisionOf(o[i])
	b, bok := revisionOf(o[j])
	if !aok || !bok || a == b {
		return older(o[i], o[j])
	}
	return a < b
}
