package e2e

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// createPods makes pods with their recorded states, which only fit while the
// controllers are held.
func (w *world) createPods(pods ...pod) {
	w.Helper()
	for _, p := range pods {
		w.createPod(p)
	}
}

func (w *world) createPod(p pod) {
	w.Helper()
	w.record(w.createBare(p), p, time.Now())
	if p.terminating {
		w.check(w.client.CoreV1().Pods(w.namespace).Delete(w.Context(), p.name, metav1.DeleteOptions{}))
	}
}

// createBare makes a pod without a status.
func (w *world) createBare(p pod) *corev1.Pod {
	w.Helper()
	obj, err := w.client.CoreV1().Pods(w.namespace).Create(w.Context(), p.object(), metav1.CreateOptions{})
	w.check(err)
	return obj
}

// record writes the status that a kubelet would have written.
func (w *world) record(obj *corev1.Pod, p pod, now time.Time) {
	w.Helper()
	status, known := p.status(now)
	if !known {
		return
	}
	obj.Status = status
	_, err := w.client.CoreV1().Pods(w.namespace).UpdateStatus(w.Context(), obj, metav1.UpdateOptions{})
	w.check(err)
}

func (p pod) status(now time.Time) (status corev1.PodStatus, known bool) {
	switch {
	case p.ready > 0:
		status.Phase = corev1.PodRunning
		status.Conditions = readiness(corev1.ConditionTrue, now.Add(-p.ready))
	case p.unready:
		status.Phase = corev1.PodRunning
		status.Conditions = readiness(corev1.ConditionFalse, now.Add(-time.Minute))
	case p.silent:
		status.Phase = corev1.PodRunning
		status.Conditions = readiness(corev1.ConditionTrue, now.Add(-time.Minute))
		status.Conditions[len(status.Conditions)-1].Status = corev1.ConditionFalse // Ready
	default:
		status.Phase = p.phase
		return status, p.phase != ""
	}
	state := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(now.Add(-p.ready))}}
	status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Ready: p.ready > 0 || p.silent, RestartCount: p.restarts, State: state}}
	if p.sidecarRestarts > 0 {
		status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "sidecar", Ready: true, RestartCount: p.sidecarRestarts, State: state}}
	}
	return status, true
}

// readiness is since the start of a second: metav1.Time has no fractions.
func readiness(status corev1.ConditionStatus, since time.Time) []corev1.PodCondition {
	at := metav1.NewTime(since.Truncate(time.Second))
	return []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: at},
		{Type: corev1.ContainersReady, Status: status, LastTransitionTime: at},
		{Type: corev1.PodReady, Status: status, LastTransitionTime: at},
	}
}

// Ages in the midst of the buckets in which ranks compare them, so that they
// stay there for the length of a test.
const (
	minutes = 30 * time.Minute  // 18m19s to 36m39s
	hour    = 100 * time.Minute // 73m18s to 2h26m
	hours   = 7 * time.Hour     // 4h53m to 9h46m
	day     = 28 * time.Hour    // 19h32m to 39h5m
)
