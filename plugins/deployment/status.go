package deployment

import (
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// updateStatus sends the Deployment's status and annotations. The sync goes on
// with its own copy, whatever the API server answers.
func (s *sync) updateStatus() error {
	sent := s.d.DeepCopy()
	w := writeDeployment(sent)
	w.Status = true
	s.refused = s.server.send(w, s.d)
	if s.refused != nil {
		return s.refused
	}
	s.server.touch(s.d.UID)
	s.written = &sent.Status
	if s.progress != "" {
		s.noted = s.progress
	}
	return nil
}

// syncStatus mirrors syncDeploymentStatus (sync.go, v1.37.1), which does not
// look at progress.
func (s *sync) syncStatus() error {
	next := s.nextStatus()
	if reflect.DeepEqual(s.d.Status, next) {
		return nil
	}
	s.d.Status = next
	return s.updateStatus()
}

// nextStatus mirrors calculateStatus (sync.go): sums over the sets as they
// were before this sync scaled them.
func (s *sync) nextStatus() appsv1.DeploymentStatus {
	sets := s.family.all()
	have := sum(sets, available)
	next := appsv1.DeploymentStatus{
		ObservedGeneration: s.d.Generation, CollisionCount: s.d.Status.CollisionCount,
		Replicas: sum(sets, actual), ReadyReplicas: sum(sets, ready), AvailableReplicas: have,
		UnavailableReplicas: max(0, sum(sets, replicasOf)-have),
	}
	if s.family.fresh != nil {
		next.UpdatedReplicas = actual(s.family.fresh)
	}
	if s.behaviour.terminating {
		next.TerminatingReplicas = terminating(sets)
	}
	next.Conditions = append(next.Conditions, s.d.Status.Conditions...)
	c := s.newCondition(appsv1.DeploymentAvailable, corev1.ConditionFalse, "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
	if have >= s.limits.minAvailable() {
		c.Status, c.Reason, c.Message = corev1.ConditionTrue, "MinimumReplicasAvailable", "Deployment has minimum availability."
	}
	s.setCondition(&next, c)
	return next
}

// terminating mirrors GetTerminatingReplicaCountForReplicaSets: a set that was
// synced and does not tell makes the sum unknown.
func terminating(sets []*appsv1.ReplicaSet) *int32 {
	total := int32(0)
	for _, rs := range sets {
		if rs.Status.TerminatingReplicas == nil && rs.Status.ObservedGeneration != 0 {
			return nil
		}
		total += ptr.Deref(rs.Status.TerminatingReplicas, 0)
	}
	return &total
}
