package view_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestReadiness: the first condition of the type Ready is the one that counts.
func TestReadiness(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	condition := func(status corev1.ConditionStatus, since time.Time) corev1.PodCondition {
		return corev1.PodCondition{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.NewTime(since)}
	}
	other := corev1.PodCondition{Type: corev1.PodInitialized, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(at.Add(time.Hour))}
	for name, c := range map[string]struct {
		conditions []corev1.PodCondition
		ready      bool
		since      time.Time
	}{
		"none":                   {nil, false, time.Time{}},
		"another type":           {[]corev1.PodCondition{other}, false, time.Time{}},
		"true":                   {[]corev1.PodCondition{other, condition(corev1.ConditionTrue, at)}, true, at},
		"false":                  {[]corev1.PodCondition{condition(corev1.ConditionFalse, at)}, false, at},
		"unknown":                {[]corev1.PodCondition{condition(corev1.ConditionUnknown, at)}, false, at},
		"true, and false behind": {[]corev1.PodCondition{condition(corev1.ConditionTrue, at), condition(corev1.ConditionFalse, at.Add(time.Hour))}, true, at},
		"false, and true behind": {[]corev1.PodCondition{condition(corev1.ConditionFalse, at), condition(corev1.ConditionTrue, at.Add(time.Hour))}, false, at},
	} {
		ready, since := view.Readiness(&corev1.Pod{Status: corev1.PodStatus{Conditions: c.conditions}})
		if ready != c.ready || !since.Equal(c.since) {
			t.Errorf("%s: ready %v since %v, want %v since %v", name, ready, since, c.ready, c.since)
		}
	}
}

// TestNeverRan: a Pod that its kubelet stopped to make room has run, also where its status names no
// container any more.
func TestNeverRan(t *testing.T) {
	for _, c := range []struct {
		status corev1.PodStatus
		want   bool
	}{
		{corev1.PodStatus{Phase: corev1.PodFailed, Reason: "UnexpectedAdmissionError"}, true},
		{corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "Pod was rejected: The node had condition: [MemoryPressure]. "}, true},
		{corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on resource: memory. "}, false},
		{corev1.PodStatus{Phase: corev1.PodFailed, ContainerStatuses: make([]corev1.ContainerStatus, 1)}, false},
		{corev1.PodStatus{Phase: corev1.PodFailed, InitContainerStatuses: make([]corev1.ContainerStatus, 1)}, false},
		{corev1.PodStatus{Phase: corev1.PodPending}, false},
	} {
		if got := view.NeverRan(&corev1.Pod{Status: c.status}); got != c.want {
			t.Errorf("%+v: %v, want %v", c.status, got, c.want)
		}
	}
}
