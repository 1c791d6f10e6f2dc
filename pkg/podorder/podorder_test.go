package podorder_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podorder"
)

// TestPhaseOrdinal: phases that the map of upstream lacks come with Pending.
func TestPhaseOrdinal(t *testing.T) {
	for phase, want := range map[corev1.PodPhase]int{"": 0, corev1.PodPending: 0, "Odd": 0, corev1.PodUnknown: 1, corev1.PodRunning: 2} {
		if n := podorder.PhaseOrdinal(phase); n != want {
			t.Errorf("phase %q has ordinal %d, want %d", phase, n, want)
		}
	}
}

// TestDeletionCost: what is no plain number counts as 0.
func TestDeletionCost(t *testing.T) {
	for text, want := range map[string]int32{
		"0": 0, "7": 7, "-7": -7, "2147483647": 2147483647, "-2147483648": -2147483648,
		"": 0, "+7": 0, "07": 0, "-07": -7, "2147483648": 0, " 7": 0, "7 ": 0, "7.0": 0, "seven": 0, "-": 0,
	} {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{corev1.PodDeletionCost: text}}}
		if n, _ := podorder.DeletionCost(p); n != want {
			t.Errorf("cost %q counts as %d, want %d", text, n, want)
		}
	}
}
