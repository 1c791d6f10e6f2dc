package view

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TrimManagedFields drops what is often half of an object, but for who wrote
// the status of a workload and when, which tells how far its controller's cache
// had read, and who scaled it. An object that has nothing to drop is not written
// to.
func TrimManagedFields(obj metav1.Object) {
	all := obj.GetManagedFields()
	if all == nil {
		return
	}
	status, kept := hasController(obj), []metav1.ManagedFieldsEntry(nil)
	for _, m := range all {
		if m.Subresource == "scale" || m.Subresource == "status" && status {
			m.FieldsV1 = nil
			kept = append(kept, m)
		}
	}
	if len(kept) < len(all) || slices.ContainsFunc(all, func(m metav1.ManagedFieldsEntry) bool { return m.FieldsV1 != nil }) {
		obj.SetManagedFields(kept)
	}
}

// hasController reports whether a modelled controller writes the object's status.
func hasController(obj metav1.Object) bool {
	switch o := obj.(type) {
	case *appsv1.Deployment, *appsv1.ReplicaSet, *appsv1.StatefulSet, *corev1.ReplicationController:
		return true
	case *unstructured.Unstructured:
		return o.GetKind() == CloneSets.Kind
	}
	return false
}
