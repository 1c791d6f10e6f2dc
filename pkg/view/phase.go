package view

import corev1 "k8s.io/api/core/v1"

// Ended reports whether a Pod's phase is a last one: all its containers have ended, and none
// is started again (IsPodPhaseTerminal in pkg/api/v1/pod/util.go, v1.37.1).
func Ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
