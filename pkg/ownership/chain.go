package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// maxChain bounds the walk over objects that own each other in a circle.
const maxChain = 16

// Chain lists the controllers above obj, the root first. Kinds that a View
// does not hold end the chain as their reference names them. A controller that
// is not there, or has another UID, is none.
func Chain(r *view.Reader, obj metav1.Object) []decision.Ref {
	var chain []decision.Ref
	for ref := metav1.GetControllerOfNoCopy(obj); ref != nil && len(chain) < maxChain; {
		owner, absent := owner(r, ref, obj.GetNamespace())
		if absent || owner != nil && owner.GetUID() != ref.UID {
			break
		}
		chain = append([]decision.Ref{refOf(ref, obj.GetNamespace())}, chain...)
		if owner == nil {
			break
		}
		obj, ref = owner, metav1.GetControllerOfNoCopy(owner)
	}
	return chain
}

func refOf(ref *metav1.OwnerReference, namespace string) decision.Ref {
	return decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: namespace, Name: ref.Name, UID: string(ref.UID)}
}

// owner finds the object that ref names, nil when it cannot be read, and reports
// whether it is absent. Files that hold others of its kind are taken to hold all.
func owner(r *view.Reader, ref *metav1.OwnerReference, namespace string) (obj metav1.Object, absent bool) {
	for _, k := range append(r.Others(), view.Kinds()...) {
		if k.Kind != ref.Kind || k.GroupVersion().String() != ref.APIVersion {
			continue
		}
		if !k.Namespaced {
			namespace = ""
		}
		need := view.Need{
			Kind: k, Namespace: namespace, Name: ref.Name, Detail: view.Full,
			IfMissing: "owners further up are not shown", Explains: true,
		}
		obj, ok := view.Get[metav1.Object](r, need)
		switch {
		case ok:
			return obj, false
		case r.Err(need) == nil:
			return nil, true
		}
	}
	return nil, false
}

// Dangling returns the controller that obj refers to and that is not there: none has its
// name, or only one with another UID (replaced). It is nil where the controller is there,
// and where that is not known.
func Dangling(r *view.Reader, obj metav1.Object) (ref *metav1.OwnerReference, replaced bool) {
	ref = metav1.GetControllerOfNoCopy(obj)
	if ref == nil {
		return nil, false
	}
	switch owner, absent := owner(r, ref, obj.GetNamespace()); {
	case absent:
		return ref, false
	case owner != nil && owner.GetUID() != ref.UID:
		return ref, true
	}
	return nil, false
}
