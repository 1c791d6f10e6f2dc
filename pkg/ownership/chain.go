package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// maxChain bounds the walk over objects that own each other in a circle.
const maxChain = 16

// Chain lists the controllers above obj, the root first. Kinds that a View
// does not hold end the chain as their reference names them.
func Chain(r *view.Reader, obj metav1.Object) []decision.Ref {
	var chain []decision.Ref
	for ref := metav1.GetControllerOfNoCopy(obj); ref != nil && len(chain) < maxChain; {
		chain = append([]decision.Ref{refOf(ref, obj.GetNamespace())}, chain...)
		owner := owner(r, ref, obj.GetNamespace())
		if owner == nil || owner.GetUID() != ref.UID {
			break
		}
		obj, ref = owner, metav1.GetControllerOfNoCopy(owner)
	}
	return chain
}

func refOf(ref *metav1.OwnerReference, namespace string) decision.Ref {
	return decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: namespace, Name: ref.Name, UID: string(ref.UID)}
}

// owner finds the object that ref names, nil when it cannot be read.
func owner(r *view.Reader, ref *metav1.OwnerReference, namespace string) metav1.Object {
	for _, k := range view.Kinds() {
		if k.Kind != ref.Kind || k.GroupVersion().String() != ref.APIVersion {
			continue
		}
		obj, ok := view.Get[metav1.Object](r, view.Need{
			Kind: k, Namespace: namespace, Name: ref.Name,
			Without: "owners further up are not shown", Explains: true,
		})
		if ok {
			return obj
		}
	}
	return nil
}
