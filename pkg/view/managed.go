package view

import (
	"bytes"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ControllerManager is the manager of the fields that the controllers of Kubernetes write.
const ControllerManager = "kube-controller-manager"

// TrimManagedFields drops what is often half of an object, but for who wrote
// the status of a workload and when, which tells how far its controller's cache
// had read, who scaled it, and who created an object that refers to no owner. An object
// that has nothing to drop is not written to.
func TrimManagedFields(obj metav1.Object) {
	all := obj.GetManagedFields()
	if all == nil {
		return
	}
	status, kept := hasController(obj), []metav1.ManagedFieldsEntry(nil)
	for _, m := range all {
		if m.Subresource == scale || m.Subresource == "status" && status || Generated(obj, m) {
			m.FieldsV1 = nil
			kept = append(kept, m)
		}
	}
	if len(kept) < len(all) || slices.ContainsFunc(all, func(m metav1.ManagedFieldsEntry) bool { return m.FieldsV1 != nil }) {
		obj.SetManagedFields(kept)
	}
}

// Scalers are the managers that set spec.replicas of an object by its subresource scale, and that
// nobody has set since: a field belongs to the manager that wrote it last. Their entries have no
// time (ToParent of k8s.io/apimachinery/pkg/util/managedfields/scalehandler.go, v0.37.1).
func Scalers(obj metav1.Object) (managers []string) {
	for _, m := range obj.GetManagedFields() {
		if m.Subresource == scale {
			managers = append(managers, m.Manager)
		}
	}
	return managers
}

const scale = "scale"

// SetsName is in the fields of who set generateName, which nothing does later.
var SetsName = []byte(`"f:generateName"`)

// Generated reports whether an entry says who created an object that has a generated name and
// no owner. Its fields are dropped then.
func Generated(obj metav1.Object, m metav1.ManagedFieldsEntry) bool {
	return obj.GetGenerateName() != "" && len(obj.GetOwnerReferences()) == 0 && m.Subresource == "" &&
		(m.FieldsV1 == nil || bytes.Contains(m.FieldsV1.GetRawBytes(), SetsName))
}

// hasController reports whether a controller that may be modelled writes the object's status.
func hasController(obj metav1.Object) bool {
	switch obj.(type) {
	case *appsv1.Deployment, *appsv1.ReplicaSet, *appsv1.StatefulSet, *corev1.ReplicationController, *unstructured.Unstructured:
		return true
	}
	return false
}
