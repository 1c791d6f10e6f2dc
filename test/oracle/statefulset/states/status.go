package states

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// drawStatus draws what the last sync left, mostly what this one would count.
func (s *scene) drawStatus(pods []*corev1.Pod) {
	st := &s.set.Status
	st.ObservedGeneration = mostly(s.draw, s.set.Generation, 15, s.set.Generation-1, 0, s.set.Generation+1)
	st.CurrentRevision = mostly(s.draw, s.current, 8, "", "web-gone")
	st.UpdateRevision = mostly(s.draw, s.update, 8, "", "web-gone")
	st.CollisionCount = mostly(s.draw, new(int32(0)), 20, nil, new(int32(1)))
	for _, pod := range pods {
		s.count(pod)
	}
	if s.chance(30) && s.stratum != idle {
		n := func(is int32) int32 { return mostly(s.draw, is, 50, 0, 1, 2, 5) }
		st.Replicas, st.ReadyReplicas, st.CurrentReplicas = n(st.Replicas), n(st.ReadyReplicas), n(st.CurrentReplicas)
		st.UpdatedReplicas, st.AvailableReplicas = n(st.UpdatedReplicas), n(st.AvailableReplicas)
	}
	if s.modelled.AtLeast(37, 0) {
		st.Conditions = s.conditions()
	}
}

// count adds a Pod to the status.
func (s *scene) count(pod *corev1.Pod) {
	st := &s.set.Status
	if pod.Status.Phase == "" || !metav1.IsControlledBy(pod, s.set) {
		return
	}
	st.Replicas++
	if c := pod.Status.Conditions; pod.Status.Phase == corev1.PodRunning && len(c) > 0 && c[0].Status == corev1.ConditionTrue {
		st.ReadyReplicas++
		if Now.Sub(c[0].LastTransitionTime.Time).Seconds() >= float64(s.set.Spec.MinReadySeconds) {
			st.AvailableReplicas++
		}
	}
	if pod.DeletionTimestamp != nil {
		return
	}
	if revision := pod.Labels[appsv1.ControllerRevisionHashLabelKey]; revision == s.current {
		st.CurrentReplicas++
	}
	if revision := pod.Labels[appsv1.ControllerRevisionHashLabelKey]; revision == s.update {
		st.UpdatedReplicas++
	}
}

// conditions are what 1.37 keeps.
func (s *scene) conditions() []appsv1.StatefulSetCondition {
	if s.chance(70) {
		return nil
	}
	return []appsv1.StatefulSetCondition{{
		Type: "Progressing", Status: pick(s.draw, corev1.ConditionTrue, corev1.ConditionFalse),
		Reason:  pick(s.draw, "RecreateInProgress", "RecreateCompleted", "Other"),
		Message: pick(s.draw, "Deleting old revision pods", "Waiting for new-revision pods to be created", "All pods recreated successfully", "x"), LastTransitionTime: ago(70),
	}}
}
