package ownership

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Claimer is a controller object that claims others by selector.
type Claimer struct {
	Ref      decision.Ref
	Deleting bool
	Selector labels.Selector
	// ByIndex says that the controller finds its dependents through an index
	// on the kind, name and UID of their controller reference, so that one
	// whose reference carries its UID under another name is invisible to it.
	ByIndex bool
}

// Verdict is what a claim comes to for one object.
type Verdict struct {
	Hold   decision.Hold
	Ruling decision.Ruling
	// Patch is the body of the adoption or release, a strategic merge patch.
	Patch string
}

// Claim decides on one object, as ClaimObject does.
func (c Claimer) Claim(obj metav1.Object) Verdict {
	ref := metav1.GetControllerOfNoCopy(obj)
	switch {
	case ref == nil:
		return c.claimOrphan(obj)
	case string(ref.UID) != c.Ref.UID:
		return ignored(OtherController, controllerFacts(ref)...)
	case c.ByIndex && (ref.Kind != c.Ref.Kind || ref.Name != c.Ref.Name):
		return ignored(ForeignReference, controllerFacts(ref)...)
	case c.matches(obj):
		return Verdict{Hold: decision.Owned, Ruling: decision.Ruled(OwnedMatching, decision.F("selector", c.Selector.String()))}
	case c.Deleting:
		return ignored(DeletingKeeps, c.mismatch(obj)...)
	default:
		return Verdict{decision.ToRelease, decision.Ruled(ReleaseMismatch, c.mismatch(obj)...), ReleasePatch(obj.GetUID(), types.UID(c.Ref.UID))}
	}
}

func (c Claimer) claimOrphan(obj metav1.Object) Verdict {
	switch {
	case !c.matches(obj), obj.GetNamespace() != c.Ref.Namespace:
		return Verdict{Hold: decision.Ignored} // it concerns nobody: there is nothing to say
	case c.Deleting:
		return ignored(DeletingAdoptsNothing)
	case obj.GetDeletionTimestamp() != nil:
		return ignored(TerminatingOrphan)
	default:
		return Verdict{
			decision.ToAdopt,
			decision.Ruled(AdoptOrphan, decision.F("selector", c.Selector.String())),
			AdoptPatch(c.Ref, obj.GetUID()),
		}
	}
}

func (c Claimer) matches(obj metav1.Object) bool {
	return c.Selector.Matches(labels.Set(obj.GetLabels()))
}

func ignored(rule string, facts ...decision.Fact) Verdict {
	return Verdict{Hold: decision.Ignored, Ruling: decision.Ruled(rule, facts...)}
}

func controllerFacts(ref *metav1.OwnerReference) []decision.Fact {
	return []decision.Fact{
		decision.At("controller", decision.Ref{Kind: ref.Kind, Name: ref.Name}.String(), "metadata.ownerReferences[controller=true]"),
		decision.F("uid", string(ref.UID)),
	}
}

// mismatch names the first selector term that the object's labels fail.
func (c Claimer) mismatch(obj metav1.Object) []decision.Fact {
	set := labels.Set(obj.GetLabels())
	terms, selectable := c.Selector.Requirements()
	if !selectable {
		return []decision.Fact{decision.F("term", "nothing"), decision.F("label", "")}
	}
	for _, term := range terms {
		if term.Matches(set) {
			continue
		}
		label := "no label " + term.Key()
		if value, ok := set[term.Key()]; ok {
			label = "label " + term.Key() + "=" + value
		}
		return []decision.Fact{
			decision.At("term", term.String(), "spec.selector"),
			decision.At("label", label, "metadata.labels"),
		}
	}
	return nil
}

// AdoptPatch is the patch that makes owner the controller of the object with
// this UID (ownerRefControllerPatch).
func AdoptPatch(owner decision.Ref, uid types.UID) string {
	type reference struct {
		APIVersion         string `json:"apiVersion"`
		Kind               string `json:"kind"`
		Name               string `json:"name"`
		UID                string `json:"uid"`
		Controller         bool   `json:"controller"`
		BlockOwnerDeletion bool   `json:"blockOwnerDeletion"`
	}
	var p struct {
		Metadata struct {
			OwnerReferences []reference `json:"ownerReferences"`
			UID             types.UID   `json:"uid"`
		} `json:"metadata"`
	}
	p.Metadata.OwnerReferences = []reference{{owner.APIVersion, owner.Kind, owner.Name, owner.UID, true, true}}
	p.Metadata.UID = uid
	return mustJSON(p)
}

// ReleasePatch is the patch that takes owner's reference out of the object
// with this UID (GenerateDeleteOwnerRefStrategicMergeBytes).
func ReleasePatch(uid, owner types.UID) string {
	type reference struct {
		Patch string    `json:"$patch"`
		UID   types.UID `json:"uid"`
	}
	var p struct {
		Metadata struct {
			UID             types.UID   `json:"uid"`
			OwnerReferences []reference `json:"ownerReferences"`
		} `json:"metadata"`
	}
	p.Metadata.UID = uid
	p.Metadata.OwnerReferences = []reference{{"delete", owner}}
	return mustJSON(p)
}

// mustJSON encodes plain structs of strings and bools, which cannot fail.
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
