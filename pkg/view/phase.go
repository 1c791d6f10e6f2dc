package view

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Ended reports whether a Pod's phase is a last one: all its containers have ended, and none
// is started again (IsPodPhaseTerminal in pkg/api/v1/pod/util.go, v1.37.1).
//
//go:noinline
func Ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// Evicted is the reason of a Pod that its kubelet ended, or did not admit, to get back resources of
// the node (pkg/kubelet/eviction/helpers.go Reason, v1.37.1).
const Evicted = "Evicted"

// NeverRan reports whether a Pod has failed that its kubelet did not admit: it reports no containers
// (rejectPod of pkg/kubelet/kubelet.go, v1.37.1), nor was the Pod stopped to make room, which has
// another message (nodeConditionMessageFmt of pkg/kubelet/eviction/helpers.go).
func NeverRan(pod *corev1.Pod) bool {
	s := &pod.Status
	if s.Phase != corev1.PodFailed || len(s.ContainerStatuses)+len(s.InitContainerStatuses) > 0 {
		return false
	}
	return s.Reason != Evicted || strings.Contains(s.Message, "The node had condition: ")
}

// OutOfService reports whether the Pods that are being deleted on a node that is not ready are
// deleted by force (pkg/controller/podgc/gc_controller.go gcTerminating, v1.37.1).
func OutOfService(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeOutOfService })
}

// CrashLoop is how many restarts are no accident any more.
const CrashLoop = 3

// forgotten is after how long a run kubelet's back-off starts anew: twice the
// longest one (pkg/kubelet/kubelet.go MaxContainerBackOff, v1.37.1, as
// client-go's flowcontrol.Backoff counts it).
const forgotten = 10 * time.Minute

// EndedLately reports whether a container that runs has ended before, so lately that its
// back-off still counts. It counts whatever the exit code was: a server that is told to
// stop, as by a failed liveness probe, often ends with 0 (doBackOff in pkg/kubelet/
// kuberuntime/kuberuntime_manager.go, v1.37.1).
func EndedLately(s *corev1.ContainerStatus, now time.Time) bool {
	started := s.State.Running.StartedAt.Time
	return s.RestartCount > 0 && s.LastTerminationState.Terminated != nil && !started.IsZero() && now.Sub(started) < forgotten
}

// Condition is the Pod's first condition of a type, nil without.
//
//go:noinline
func Condition(pod *corev1.Pod, t corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == t {
			return c
		}
	}
	return nil
}

// Readiness reports whether a Pod is ready, and since when: both are of its first condition
// Ready (IsPodReady in pkg/api/v1/pod/util.go, podReadyTime in
// pkg/controller/controller_utils.go, v1.37.1).
//
//go:noinline // it is called at many places
func Readiness(pod *corev1.Pod) (ready bool, since time.Time) {
	c := Condition(pod, corev1.PodReady)
	if c == nil {
		return false, since
	}
	return c.Status == corev1.ConditionTrue, c.LastTransitionTime.Time
}
