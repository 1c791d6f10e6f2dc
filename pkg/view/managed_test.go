package view_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
