package states

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// storeStatus writes a status that is mostly about right, so that syncs with
// nothing to write are met as well.
func (s *scene) storeStatus() {
	status := &s.set.Status
	*status = s.rightStatus()
	if s.chance(60) {
		status.ReadyReplicas = int32(s.between(0, 3))
		status.AvailableReplicas = int32(s.between(0, 3))
		status.ObservedGeneration = int64(s.between(0, 3))
	}
	if s.chance(30) {
		status.TerminatingReplicas = pick(s.draw, nil, new(int32(0)), new(int32(2)))
	}
	status.Conditions = s.conditions()
}

func (s *scene) rightStatus() appsv1.ReplicaSetStatus {
	status := appsv1.ReplicaSetStatus{ObservedGeneration: s.set.Generation}
	template := labels.SelectorFromSet(s.set.Spec.Template.Labels)
	for _, p := range s.pods {
		if !isMine(p) || !isActive(p) {
			continue
		}
		status.Replicas++
		if template.Matches(labels.Set(p.Labels)) {
			status.FullyLabeledReplicas++
		}
		if isReady(p) {
			status.ReadyReplicas++
			status.AvailableReplicas++
		}
	}
	if s.modelled.AtLeast(35, 0) && !s.isRC() {
		status.TerminatingReplicas = new(s.countTerminating())
	}
	return status
}

func (s *scene) countTerminating() int32 {
	n := int32(0)
	for _, p := range s.pods {
		if p.DeletionTimestamp != nil && isMine(p) && len(p.OwnerReferences) > 0 {
			n++
		}
	}
	return n
}

func isReady(p *corev1.Pod) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func (s *scene) conditions() []appsv1.ReplicaSetCondition {
	if !s.chance(25) {
		return nil
	}
	failure := appsv1.ReplicaSetCondition{
		Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, LastTransitionTime: ago(s.between(0, 1000)),
		Reason: pick(s.draw, "FailedCreate", "FailedDelete"), Message: "an older failure",
	}
	other := appsv1.ReplicaSetCondition{Type: "Custom", Status: corev1.ConditionFalse, LastTransitionTime: ago(7), Message: "someone else's"}
	cleared := failure
	cleared.Status = corev1.ConditionFalse
	return pick(s.draw, []appsv1.ReplicaSetCondition{failure}, []appsv1.ReplicaSetCondition{other},
		[]appsv1.ReplicaSetCondition{other, failure}, []appsv1.ReplicaSetCondition{failure, other, failure},
		[]appsv1.ReplicaSetCondition{cleared}, repeated(failure))
}
