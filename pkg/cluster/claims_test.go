package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestClaimsDropped: a volume claim goes with its last Pod where it is being deleted, and
// nothing but the Pod kept it.
func TestClaimsDropped(t *testing.T) {
	user := func(name, node string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: corev1.PodSpec{NodeName: node, Volumes: []corev1.Volume{
			{Name: "tmp"},
			{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}},
		}}}
	}
	now := metav1.Now()
	for _, c := range []struct {
		why        string
		deleted    *metav1.Time
		finalizers []string
		other      *corev1.Pod
		stays      bool
	}{
		{why: "the last user is gone", deleted: &now, finalizers: []string{view.ClaimProtection}},
		{why: "it is not being deleted", finalizers: []string{view.ClaimProtection}, stays: true},
		{why: "another finalizer holds it", deleted: &now, finalizers: []string{view.ClaimProtection, "example.com/backup"}, stays: true},
		{why: "another Pod uses it", deleted: &now, other: user("b", "n1"), stays: true},
		{why: "another Pod has no node", deleted: &now, other: user("b", "")},
	} {
		b := view.NewOpenBuilder(now.Time)
		b.Add(view.PersistentVolumeClaims, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data", DeletionTimestamp: c.deleted, Finalizers: c.finalizers}})
		if c.other != nil {
			b.Add(view.Pods, c.other)
		}
		m := New(b.View(), admission.Features{})
		m.dropClaims(user("a", "n1"))
		if _, stays := m.Get(view.PersistentVolumeClaims, "shop", "data"); stays != c.stays {
			t.Errorf("%s: stays %t", c.why, stays)
		}
	}
}
