package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is an object whose controller claims dependents of one kind, with
// what its kind adds to the rules that all have in common.
type Controller struct {
	Claimer
	Kind view.Kind
	Obj  metav1.Object
	// Template holds the labels of the pods that it makes.
	Template labels.Set
	// Generated says that its selector holds a value that was made up for it
	// alone: the hash of a Deployment's template, or the UID of a Job.
	Generated bool
	// ActiveOnly says that it looks at no pods which ended or are being deleted.
	ActiveOnly bool
	// Member narrows what it claims beyond the selector; nil for no more.
	Member func(metav1.Object) bool
	// NeverAdopts says that it takes no object which does not refer to it, and
	// NeverReleases that it lets none go.
	NeverAdopts, NeverReleases bool
	// Updates says that it claims by Kruise's ref manager, which writes whole objects
	// instead of patching owners.
	Updates bool
	// Everywhere says that it lists what it claims in all namespaces: an orphan
	// elsewhere, which it can't own, makes it fail.
	Everywhere bool
	// Idle is why it claims nothing at all, nil when it does.
	Idle *decision.Ruling
	// manners is what Manner says of objects that it adopts and of others, once asked.
	manners struct{ adopting, ignoring *decision.Ruling }
}

// Claim decides on one object. ended reports whether a pod's phase is a last one;
// it is asked only where that decides.
func (c *Controller) Claim(obj metav1.Object, ended func(metav1.Object) bool) Verdict {
	v := c.Claimer.Claim(obj)
	if c.Updates {
		v.Patch = ""
	}
	switch {
	case v.Ruling.Rule == "" || v.Ruling.Rule == OtherController || v.Ruling.Rule == ForeignReference:
		return v
	case c.Idle != nil:
		return Verdict{Decision: decision.Ignored, Ruling: *c.Idle}
	case c.mine(obj):
		return c.keep(obj, v, ended)
	case v.Decision == decision.ToAdopt:
		return c.take(obj, v, ended)
	default:
		return v
	}
}

// Keeps tells of an object with a reference to an owner that the owner is this
// controller, by every name it has, and will not release it.
func (c *Controller) Keeps(obj metav1.Object, ref metav1.OwnerReference) bool {
	return ref.Controller != nil && *ref.Controller && string(ref.UID) == c.Ref.UID &&
		ref.Name == c.Ref.Name && ref.Kind == c.Ref.Kind && ref.APIVersion == c.Ref.APIVersion && obj.GetNamespace() == c.Ref.Namespace &&
		c.matches(obj) && (c.Member == nil || c.Member(obj))
}

func (c *Controller) mine(obj metav1.Object) bool {
	ref := metav1.GetControllerOfNoCopy(obj)
	return ref != nil && string(ref.UID) == c.Ref.UID
}

// keep decides on an object that is the controller's own.
func (c *Controller) keep(obj metav1.Object, v Verdict, ended func(metav1.Object) bool) Verdict {
	if v.Decision == decision.Owned && c.Member != nil && !c.Member(obj) {
		v = Verdict{decision.ToRelease, c.notMember(obj), c.releasePatch(obj)}
		if c.Deleting {
			v = ignored(DeletingKeeps, decision.F(keyLabel, "name "+obj.GetName()), decision.F(keyTerm, c.Ref.Name+"-ORDINAL"))
		}
	}
	if v.Decision == decision.ToRelease && (c.NeverReleases || c.overlooks(obj, ended)) {
		return ignored(NotLookedAt)
	}
	return v
}

// take decides on an orphan that matches the selector.
func (c *Controller) take(obj metav1.Object, v Verdict, ended func(metav1.Object) bool) Verdict {
	switch {
	case c.Member != nil && !c.Member(obj):
		return Verdict{Decision: decision.Ignored, Ruling: c.notMember(obj)}
	case c.NeverAdopts && !refersTo(obj, c.Ref.UID):
		return ignored(NeverAdopts, decision.F(keyKind, c.Ref.Kind))
	case c.overlooks(obj, ended):
		return ignored(EndedOrphan)
	}
	return v
}

func (c *Controller) overlooks(obj metav1.Object, ended func(metav1.Object) bool) bool {
	return c.ActiveOnly && (obj.GetDeletionTimestamp() != nil || ended(obj))
}

func (c *Controller) notMember(obj metav1.Object) decision.Ruling {
	return decision.Ruled(NotMember,
		decision.At(keyName, obj.GetName(), "metadata.name"),
		decision.F(keyPattern, c.Ref.Name+"-ORDINAL"))
}

func refersTo(obj metav1.Object, uid string) bool {
	for _, ref := range obj.GetOwnerReferences() {
		if string(ref.UID) == uid {
			return true
		}
	}
	return false
}

// Mismatch names the first term of the selector that the object fails.
func (c *Controller) Mismatch(obj metav1.Object) decision.Facts { return c.mismatch(obj) }

// Anew reports whether another object with the same selector, made in the place of this one,
// adopts an orphan. A selector with its UID, such as a Job's, is not that of another.
func (c *Controller) Anew(orphan metav1.Object, ended func(metav1.Object) bool) bool {
	terms, _ := c.Selector.Requirements()
	for i := range terms {
		if terms[i].Values().Has(c.Ref.UID) {
			return false
		}
	}
	other := *c
	other.Deleting = false
	return other.Claim(orphan, ended).Decision == decision.ToAdopt
}
