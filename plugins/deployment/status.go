package deployment

import (
	"cmp"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// updateStatus sends the Deployment's status and annotations. The sync goes on
// with its own copy, whatever the API server answers.
// news are what it is about, empty for nothing but new sums.
func (s *sync) updateStatus(news string) error {
	sent := s.d.DeepCopy()
	w := writeDeployment(sent)
	w.Status = true
	s.refused = s.server.send(w, s.d)
	if s.refused != nil {
		return s.refused
	}
	s.server.touch(s.d.UID)
	s.written = &sent.Status
	s.noted = cmp.Or(news, s.noted)
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
	return s.updateStatus("")
}

// syncRolloutStatus mirrors the function of that name (progress.go, v1.37.1):
// the sums, how far the rollout is, and failures of the sets.
func (s *sync) syncRolloutStatus() error {
	next := s.nextStatus()
	news := s.judgeProgress(&next)
	if failure := failureOf(s.sets); failure != nil {
		s.setCondition(&next, *failure)
	} else {
		next.Conditions = without(next.Conditions, appsv1.DeploymentReplicaFailure)
	}
	if reflect.DeepEqual(s.d.Status, next) {
		s.check = s.checkLater(next)
		return nil
	}
	s.d.Status = next
	return s.updateStatus(news)
}

// nextStatus mirrors calculateStatus (sync.go, v1.37.1): sums over the sets as they
// were before this sync scaled them.
func (s *sync) nextStatus() appsv1.DeploymentStatus {
	sets := s.sets.all()
	have := sum(sets, available)
	next := appsv1.DeploymentStatus{
		ObservedGeneration: s.d.Generation, CollisionCount: s.d.Status.CollisionCount,
		Replicas: sum(sets, actual), ReadyReplicas: sum(sets, ready), AvailableReplicas: have,
		UnavailableReplicas: max(0, sum(sets, replicasOf)-have),
	}
	if s.sets.newRS != nil {
		next.UpdatedReplicas = actual(s.sets.newRS)
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
