package ownership

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// adoption is the patch of all adoptions of one owner, which make it the controller
// of an object (ownerRefControllerPatch), but for the UID of what it adopts.
type adoption struct{ before, after string }

func newAdoption(owner decision.Ref, finalizers []string) adoption {
	type reference struct {
		APIVersion         string `json:"apiVersion"`
		Kind               string `json:"kind"`
		Name               string `json:"name"`
		UID                string `json:"uid"`
		Controller         bool   `json:"controller"`
		BlockOwnerDeletion bool   `json:"blockOwnerDeletion"`
	}
	a := adoption{
		before: `{"metadata":{"ownerReferences":` + mustJSON([]reference{{owner.APIVersion, owner.Kind, owner.Name, owner.UID, true, true}}) + `,"uid":`,
		after:  `}}`,
	}
	if len(finalizers) > 0 {
		a.after = `,"finalizers":` + mustJSON(finalizers) + a.after
	}
	return a
}

func (a adoption) patch(uid types.UID) string { return a.before + mustJSON(uid) + a.after }

// releasePatch is the patch that takes owner's reference out of the object
// with this UID (GenerateDeleteOwnerRefStrategicMergeBytes).
func releasePatch(uid, owner types.UID, finalizers ...string) string {
	type reference struct {
		Patch string    `json:"$patch"`
		UID   types.UID `json:"uid"`
	}
	var p struct {
		Metadata struct {
			UID             types.UID   `json:"uid"`
			OwnerReferences []reference `json:"ownerReferences"`
			Finalizers      []string    `json:"$deleteFromPrimitiveList/finalizers,omitempty"`
		} `json:"metadata"`
	}
	p.Metadata.UID = uid
	p.Metadata.Finalizers = finalizers
	p.Metadata.OwnerReferences = []reference{{"delete", owner}}
	return mustJSON(p)
}

// mustJSON encodes plain structs of strings and bools, which cannot fail.
//
//go:noinline // it is called at many places
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Without is a copy of the object without its references to an owner.
func Without(obj metav1.Object, owner types.UID) metav1.Object {
	return owned(obj, slices.DeleteFunc(slices.Clone(obj.GetOwnerReferences()), func(ref metav1.OwnerReference) bool { return ref.UID == owner }))
}

// With is a copy of the object with one more reference to an owner.
func With(obj metav1.Object, owner metav1.OwnerReference) metav1.Object {
	return owned(obj, append(slices.Clone(obj.GetOwnerReferences()), owner))
}

// owned is a copy of the object with these references.
func owned(obj metav1.Object, refs []metav1.OwnerReference) metav1.Object {
	copied := view.Copy(obj)
	copied.SetOwnerReferences(refs)
	return copied
}

// Freed is the object as Without makes it, as far as a claim looks at it. It
// costs no copy.
func Freed(obj metav1.Object, owner types.UID) metav1.Object {
	refs := slices.Clone(obj.GetOwnerReferences())
	return freed{obj, slices.DeleteFunc(refs, func(ref metav1.OwnerReference) bool { return ref.UID == owner })}
}

type freed struct {
	metav1.Object
	refs []metav1.OwnerReference
}

func (f freed) GetOwnerReferences() []metav1.OwnerReference { return f.refs }
