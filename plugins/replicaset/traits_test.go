package replicaset

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestActive: Pods that finished or are being deleted don't count, and only
// those that did not finish are terminating.
func TestActive(t *testing.T) {
	for _, c := range []struct {
		phase               corev1.PodPhase
		deleting            bool
		active, terminating bool
	}{
		{"", false, true, false},
		{corev1.PodPending, false, true, false},
		{corev1.PodRunning, false, true, false},
		{corev1.PodUnknown, false, true, false},
		{corev1.PodSucceeded, false, false, false},
		{corev1.PodFailed, false, false, false},
		{corev1.PodRunning, true, false, true},
		{corev1.PodSucceeded, true, false, false},
		{corev1.PodFailed, true, false, false},
	} {
		p := &corev1.Pod{Status: corev1.PodStatus{Phase: c.phase}}
		if c.deleting {
			p.DeletionTimestamp = &metav1.Time{}
		}
		if isActive(p) != c.active || isTerminating(p) != c.terminating {
			t.Errorf("phase %q, deleting %v: active %v, terminating %v, want %v and %v", c.phase, c.deleting, isActive(p), isTerminating(p), c.active, c.terminating)
		}
	}
}
