package replicaset

import (
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// writes reports whether updateReplicaSetStatus would send anything.
func (t *target) writes(next appsv1.ReplicaSetStatus) bool {
	old := t.stored()
	return t.behaviour.droppedTerminating ||
		old.Replicas != next.Replicas ||
		old.FullyLabeledReplicas != next.FullyLabeledReplicas ||
		old.ReadyReplicas != next.ReadyReplicas ||
		old.AvailableReplicas != next.AvailableReplicas ||
		!ptr.Equal(old.TerminatingReplicas, next.TerminatingReplicas) ||
		t.set.Generation != old.ObservedGeneration ||
		!reflect.DeepEqual(old.Conditions, next.Conditions)
}

// update predicts how the API server answers the update, and what is said of it then.
func (s *sync) update(next appsv1.ReplicaSetStatus, why decision.Ruling) (decision.Ruling, error) {
	tries, err := s.given.API.updateStatus()
	s.log.status(s, next, err)
	switch {
	case err != nil:
		why = decision.Ruled(StatusRefused, decision.F(keyTries, tries), decision.F(keyError, err.Error()))
	case tries > 1:
		why.Facts = append(why.Facts, decision.F(keyTries, tries))
	}
	return why, err
}

// updateStatus mirrors the loop of updateReplicaSetStatus: a refused update is
// tried once more on the set as it is then.
func (a API) updateStatus() (tries int, err error) {
	if err = answer(a.Status, 0); err == nil {
		return 1, nil
	}
	if a.Reread != nil {
		if err := a.Reread(); err != nil {
			return 1, err
		}
	}
	return 2, answer(a.Status, 1)
}
