package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The helpers below mirror those of util/deployment_util.go (v1.37.1).

// condition is the first of a type, nil when there is none.
func condition(all []appsv1.DeploymentCondition, t appsv1.DeploymentConditionType) *appsv1.DeploymentCondition {
	for i := range all {
		if all[i].Type == t {
			c := all[i]
			return &c
		}
	}
	return nil
}

// without drops a type; it makes a new list even when nothing is dropped.
func without(all []appsv1.DeploymentCondition, t appsv1.DeploymentConditionType) []appsv1.DeploymentCondition {
	var kept []appsv1.DeploymentCondition
	for _, c := range all {
		if c.Type != t {
			kept = append(kept, c)
		}
	}
	return kept
}

// setCondition mirrors SetDeploymentCondition: one with the same status and
// reason stays as it is, message and times included.
func (s *sync) setCondition(status *appsv1.DeploymentStatus, c appsv1.DeploymentCondition) {
	old := condition(status.Conditions, c.Type)
	if old != nil && old.Status == c.Status {
		if old.Reason == c.Reason {
			return
		}
		c.LastTransitionTime = old.LastTransitionTime
	}
	status.Conditions = append(without(status.Conditions, c.Type), c)
}

func (s *sync) newCondition(t appsv1.DeploymentConditionType, status corev1.ConditionStatus, reason, message string) appsv1.DeploymentCondition {
	now := metav1.Time{Time: s.now}
	return appsv1.DeploymentCondition{Type: t, Status: status, Reason: reason, Message: message, LastUpdateTime: now, LastTransitionTime: now}
}

func (s *sync) progressing(status corev1.ConditionStatus, reason, message string) appsv1.DeploymentCondition {
	return s.newCondition(appsv1.DeploymentProgressing, status, reason, message)
}

// failureOf mirrors getReplicaFailures (progress.go, v1.37.1): the new set's failure
// comes before those of old ones.
func failureOf(s *newAndOld) *appsv1.DeploymentCondition {
	sets := s.all()
	if s.newRS != nil {
		sets = append([]*appsv1.ReplicaSet{s.newRS}, sets...)
	}
	for _, rs := range sets {
		for _, c := range rs.Status.Conditions {
			if c.Type == appsv1.ReplicaSetReplicaFailure {
				return &appsv1.DeploymentCondition{
					Type: appsv1.DeploymentReplicaFailure, Status: c.Status, Reason: c.Reason, Message: c.Message,
					LastTransitionTime: c.LastTransitionTime, LastUpdateTime: c.LastTransitionTime,
				}
			}
		}
	}
	return nil
}
