package ownership

import (
	"strings"

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
	// TakesTerminating says that it adopts an orphan that is being deleted as well.
	TakesTerminating bool
	// Finalizers are added to what it adopts and taken off what it releases.
	Finalizers []string
	// owned and adopted are the rulings on what is the controller's own and on
	// what it adopts, and adoption is its patch: the same for all.
	owned, adopted decision.Ruling
	adoption       adoption
}

// Verdict is what a claim comes to for one object.
type Verdict struct {
	Decision decision.ClaimDecision
	Ruling   decision.Ruling
	// Patch is the body of the adoption or release, a strategic merge patch.
	Patch string
}

// Claim decides on one object, as ClaimObject does.
func (c *Claimer) Claim(obj metav1.Object) Verdict {
	ref := metav1.GetControllerOfNoCopy(obj)
	switch {
	case ref == nil:
		return c.claimOrphan(obj)
	case string(ref.UID) != c.Ref.UID:
		return ignored(OtherController, controllerFacts(ref)...)
	case c.ByIndex && (ref.Kind != c.Ref.Kind || ref.Name != c.Ref.Name):
		return ignored(ForeignReference, controllerFacts(ref)...)
	case c.matches(obj):
		return Verdict{Decision: decision.Owned, Ruling: c.ownedRuling()}
	case c.Deleting:
		return ignored(DeletingKeeps, c.mismatch(obj)...)
	default:
		return Verdict{decision.ToRelease, decision.Ruled(ReleaseMismatch, c.mismatch(obj)...), c.releasePatch(obj)}
	}
}

func (c *Claimer) ownedRuling() decision.Ruling {
	if c.owned.Rule == "" {
		c.owned = decision.Ruled(OwnedMatching, decision.F(keySelector, c.Selector.String()))
	}
	return c.owned
}

func (c *Claimer) claimOrphan(obj metav1.Object) Verdict {
	switch {
	case !c.matches(obj), obj.GetNamespace() != c.Ref.Namespace:
		return Verdict{Decision: decision.Ignored} // it concerns nobody: there is nothing to say
	case c.Deleting:
		return ignored(DeletingAdoptsNothing)
	case obj.GetDeletionTimestamp() != nil && !c.TakesTerminating:
		return ignored(TerminatingOrphan)
	default:
		return c.adopting(obj)
	}
}

func (c *Claimer) adopting(obj metav1.Object) Verdict {
	if c.adopted.Rule == "" {
		c.adopted = decision.Ruled(AdoptOrphan, decision.F(keySelector, c.Selector.String()))
		c.adoption = newAdoption(c.Ref, c.Finalizers)
	}
	return Verdict{decision.ToAdopt, c.adopted, c.adoption.patch(obj.GetUID())}
}

func (c *Claimer) releasePatch(obj metav1.Object) string {
	return releasePatch(obj.GetUID(), types.UID(c.Ref.UID), c.Finalizers...)
}

func (c *Claimer) matches(obj metav1.Object) bool {
	return c.Selector.Matches(labels.Set(obj.GetLabels()))
}

//go:noinline // it is called at many places
func ignored(rule string, facts ...decision.Fact) Verdict {
	return Verdict{Decision: decision.Ignored, Ruling: decision.Ruled(rule, facts...)}
}

func controllerFacts(ref *metav1.OwnerReference) []decision.Fact {
	facts := []decision.Fact{
		decision.At(keyController, decision.Ref{Kind: ref.Kind, Name: ref.Name}.String(), "metadata.ownerReferences[controller=true]"),
		decision.F(keyUID, string(ref.UID)),
	}
	if group, _, _ := strings.Cut(ref.APIVersion, "/"); strings.Contains(group, ".") { // a StatefulSet may be of several
		facts = append(facts, decision.F(keyAPIVersion, ref.APIVersion))
	}
	return facts
}

// mismatch names the first selector term that the object's labels fail.
func (c *Claimer) mismatch(obj metav1.Object) []decision.Fact {
	set := labels.Set(obj.GetLabels())
	terms, selectable := c.Selector.Requirements()
	if !selectable {
		return []decision.Fact{decision.F(keyTerm, "nothing"), decision.F(keyLabel, "")}
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
			decision.At(keyTerm, term.String(), "spec.selector"),
			decision.At(keyLabel, label, "metadata.labels"),
		}
	}
	return nil
}
