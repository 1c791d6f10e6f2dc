package cluster

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestCollected: the Pod garbage collector deletes Pods that are being deleted on a node which does
// not exist or is out of service. On one that only is not ready they stay, and where files may lack
// the node, what is long overdue.
func TestCollected(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	unready := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown}}}}
	out := unready.DeepCopy()
	out.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeOutOfService, Effect: corev1.TaintEffectNoExecute}}
	for what, tt := range map[string]struct {
		node  *corev1.Node
		files bool
		after time.Duration
	}{
		"absent": {nil, false, ofAbsent}, "perhaps absent": {nil, true, 0}, "not ready": {unready, false, 0}, "out of service": {out, false, outOfService},
	} {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop", UID: "u", DeletionTimestamp: &metav1.Time{Time: now.Add(-time.Hour)}}, Spec: corev1.PodSpec{NodeName: "n"}}
		b := view.NewBuilder(now)
		b.Reads(view.Need{Kind: view.Nodes, Detail: view.Full}, nil)
		b.FromFiles(tt.files)
		b.Add(view.Pods, p)
		if tt.node != nil {
			b.Add(view.Nodes, tt.node)
		}
		m := New(b.View(), admission.Features{})
		BeginPods(m, []*corev1.Pod{p}, nil)
		if at, leaves := m.Next(); leaves != (tt.after > 0) || leaves && at.Sub(now) != tt.after || leaves == (len(m.Stuck()) > 0) {
			t.Errorf("%s: leaves %v at %s, stuck %v", what, leaves, at, m.Stuck())
		}
	}
}
