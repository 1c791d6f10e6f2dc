package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestKeptFromAllNodes: a new Pod waits as one of the start does that a taint keeps from all
// nodes, unless it tolerates what that did not.
func TestKeptFromAllNodes(t *testing.T) {
	const why = "0/3 nodes are available: 3 node(s) had untolerated taint {gpu: }"
	kept := &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: why + ". no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
	}}}}
	gated := kept.DeepCopy()
	gated.Status.Conditions[0].Reason = corev1.PodReasonSchedulingGated
	claim := kept.DeepCopy()
	claim.Status.Conditions[0].Message = "pod has unbound immediate PersistentVolumeClaims"
	for _, tt := range []struct {
		start *corev1.Pod
		spec  corev1.PodSpec
		want  string
	}{
		{kept, corev1.PodSpec{}, why},
		{kept, corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "gpu"}}}, ""},
		{gated, corev1.PodSpec{}, ""},
		{claim, corev1.PodSpec{}, ""},
	} {
		m := New(view.NewOpenBuilder(metav1.Now().Time).View(), admission.Features{})
		BeginPods(m, []*corev1.Pod{tt.start}, nil)
		if got := m.nodes.misfit(m.view, &corev1.Pod{Spec: tt.spec}); got != tt.want {
			t.Errorf("%s, %v: %q, want %q", tt.start.Status.Conditions[0].Reason, tt.spec.Tolerations, got, tt.want)
		}
	}
}
