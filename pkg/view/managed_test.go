package view_test

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestWhoCreated: of a Pod without owner who set its generateName is kept.
func TestWhoCreated(t *testing.T) {
	set := func(manager, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, FieldsV1: metav1.NewFieldsV1(fields)}
	}
	all := []metav1.ManagedFieldsEntry{
		set("kube-controller-manager", `{"f:metadata":{"f:generateName":{}}}`), set("kubectl-edit", `{"f:metadata":{"f:labels":{}}}`),
		{Manager: "kubelet", Subresource: "status", FieldsV1: metav1.NewFieldsV1(`{}`)},
	}
	owned := []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web"}}
	for _, c := range []struct {
		prefix string
		owners []metav1.OwnerReference
		kept   int
	}{{"web-", nil, 1}, {"web-", owned, 0}, {"", nil, 0}} {
		pod := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{GenerateName: c.prefix, OwnerReferences: c.owners, ManagedFields: all}}
		for range 2 { // what is left is kept
			view.TrimManagedFields(pod)
			if got := pod.ManagedFields; len(got) != c.kept || c.kept == 1 && (got[0].Manager != "kube-controller-manager" || got[0].FieldsV1 != nil) {
				t.Errorf("prefix %q, owners %v: %v is left", c.prefix, c.owners, got)
			}
		}
	}
}

// TestWhoWroteTheStatus: of a kind without a Go type any controller may be modelled, of Pods none.
func TestWhoWroteTheStatus(t *testing.T) {
	status := []metav1.ManagedFieldsEntry{{Manager: "widget-manager", Subresource: "status", FieldsV1: metav1.NewFieldsV1("{}")}}
	widget := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}}
	for _, c := range []struct {
		obj  metav1.Object
		kept int
	}{{widget, 1}, {&appsv1.ReplicaSet{}, 1}, {&corev1.Pod{}, 0}} {
		c.obj.SetManagedFields(slices.Clone(status))
		view.TrimManagedFields(c.obj)
		if got := c.obj.GetManagedFields(); len(got) != c.kept {
			t.Errorf("%T keeps %v", c.obj, got)
		}
	}
}
