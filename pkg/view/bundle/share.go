package bundle

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Sharing makes copies of objects that are fit for sharing, as Write does:
// without secrets and managedFields. Equal values stay equal among the copies that
// one Sharing makes.
func Sharing(keep redact.Keep) func(metav1.Object) (metav1.Object, error) {
	redactor := redact.New(keep)
	return func(obj metav1.Object) (metav1.Object, error) {
		members, err := dataOf(obj, false)
		if err != nil {
			return nil, err
		}
		shareable(redactor, members)
		return &unstructured.Unstructured{Object: members}, nil
	}
}

// dataOf is a copy of an object as JSON data, without most of managedFields
// unless they are wanted.
func dataOf(obj metav1.Object, managed bool) (map[string]any, error) {
	if o, ok := obj.(runtime.Object); ok && !managed && obj.GetManagedFields() != nil {
		obj = o.DeepCopyObject().(metav1.Object)
		view.TrimManagedFields(obj)
	}
	if u, ok := obj.(*unstructured.Unstructured); ok { // of which the converter makes no copy
		return u.DeepCopy().Object, nil
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
}

// shareable redacts an object. The manifest that kubectl apply keeps is left out; that
// there was one stays.
func shareable(redactor *redact.Redactor, members map[string]any) {
	meta, _ := members["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	if annotations[corev1.LastAppliedConfigAnnotation] != nil {
		annotations[corev1.LastAppliedConfigAnnotation] = view.LeftOut
	}
	redactor.Object(members)
}
