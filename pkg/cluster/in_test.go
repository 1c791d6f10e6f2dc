package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// later is a Pod that must not be decoded.
type later struct{ *corev1.Pod }

func (later) Decoded() metav1.Object { panic("decoded") }
func (later) Weight() int            { return 1 }

// TestInLooksOver: to list the Pods of a namespace decodes none of them, before a
// change and after it.
func TestInLooksOver(t *testing.T) {
	b := view.NewOpenBuilder(metav1.Now().Time)
	for _, namespace := range []string{"shop", "other"} {
		b.Add(view.Pods, later{&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "a"}}})
	}
	m := New(b.View(), admission.Features{})
	if in := m.In(view.Pods, "shop"); len(in) != 1 {
		t.Errorf("%d Pods", len(in))
	}
	m.Put(view.Pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "b"}})
	if in := m.In(view.Pods, "shop"); len(in) != 2 || in[0].GetNamespace() != "shop" || in[1].GetName() != "b" {
		t.Errorf("%d Pods", len(in))
	}
}
