package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
)

// nextConditions sets ReplicaFailure when the sync failed, keeps an old one as
// it is while the failure lasts, and drops it in every sync that did not fail,
// even one that the gate kept from trying.
func (s *sync) nextConditions() []appsv1.ReplicaSetCondition {
	present := replicaFailure(s.set.Status.Conditions) != nil
	switch {
	case s.err != nil && !present:
		return append(s.set.DeepCopy().Status.Conditions, s.newFailure())
	case s.err == nil && present:
		return without(s.set.Status.Conditions, appsv1.ReplicaSetReplicaFailure)
	default:
		return s.set.Status.Conditions
	}
}

func (s *sync) newFailure() appsv1.ReplicaSetCondition {
	reason := ""
	switch diff := len(s.claims.active) - s.set.want(); {
	case diff < 0:
		reason = failedCreate
	case diff > 0:
		reason = health.FailedDelete
	}
	return appsv1.ReplicaSetCondition{
		Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue,
		LastTransitionTime: metav1.Time{Time: s.now}, Reason: reason, Message: s.err.Error(),
	}
}

// failedCreate is the reason of a condition, and of an event, about refused creations.
const failedCreate = "FailedCreate"

func replicaFailure(conditions []appsv1.ReplicaSetCondition) *appsv1.ReplicaSetCondition {
	for i := range conditions {
		if conditions[i].Type == appsv1.ReplicaSetReplicaFailure {
			return &conditions[i]
		}
	}
	return nil
}

func without(conditions []appsv1.ReplicaSetCondition, t appsv1.ReplicaSetConditionType) []appsv1.ReplicaSetCondition {
	var kept []appsv1.ReplicaSetCondition
	for _, c := range conditions {
		if c.Type != t {
			kept = append(kept, c)
		}
	}
	return kept
}
