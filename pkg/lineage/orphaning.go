package lineage

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Orphaning reports whether an object is being deleted and the garbage collector takes its
// reference out of its dependents, which stay. That comes first where the object has the
// finalizer of a foreground deletion as well (graph_builder.go processTransitions, v1.37.1),
// which the API server refuses (ValidateFinalizers of pkg/api/validation/objectmeta.go of
// k8s.io/apimachinery, v0.37.1).
func Orphaning(o metav1.Object) bool { return deleting(o, metav1.FinalizerOrphanDependents) }

// DeletesDependents reports whether an object is being deleted in the foreground.
func DeletesDependents(o metav1.Object) bool {
	return deleting(o, metav1.FinalizerDeleteDependents) && !Orphaning(o)
}

func deleting(o metav1.Object, finalizer string) bool {
	return o != nil && o.GetDeletionTimestamp() != nil && slices.Contains(o.GetFinalizers(), finalizer)
}

// makerOf is the link to the controller that may make another object in the place of one that
// is deleted, nil for none.
func (c *Checker) makerOf(o metav1.Object) *Link {
	links := c.Links(o)
	i := slices.IndexFunc(links, func(l Link) bool {
		itself := types.UID(l.Owner.UID) == o.GetUID()
		return l.Controller && l.State == Solid && !l.OwnerDeleting && !itself
	})
	if i < 0 {
		return nil
	}
	return &links[i]
}

// Remade says of an object of a kind that an owner has orphaned, and that no controller
// adopts, which controller may make another owner that adopts it, nil for none. of is the
// owner as it claims such objects, nil where it was not read as that. ended reports whether a
// Pod has ended.
func (c *Checker) Remade(k view.Kind, orphan metav1.Object, l Link, of *ownership.Controller, ended func(metav1.Object) bool) *decision.Ruling {
	if l.owner == nil {
		return nil
	}
	return remade(c.r, k, orphan, l.Owner, c.makerOf(l.owner), of, ended)
}

func remade(r *view.Reader, k view.Kind, orphan metav1.Object, owner decision.Ref, maker *Link, of *ownership.Controller, ended func(metav1.Object) bool) *decision.Ruling {
	claims := func(k view.Kind) bool { return k.Kind == owner.Kind && k.GroupVersion().String() == owner.APIVersion }
	if maker == nil || metav1.GetControllerOfNoCopy(orphan) != nil || !slices.ContainsFunc(ownership.ClaimerKinds(r, k), claims) || of != nil && !of.Anew(orphan, ended) {
		return nil
	}
	ruling := decision.Ruled(OrphanedRemade, decision.F(keyController, maker.Owner.String()), decision.F(keyKind, owner.Kind))
	return &ruling
}

// Remakes says so of the facts of OrphanedRemade, and of OwnerOrphans with these; empty
// without.
func Remakes(fs decision.Facts) string {
	maker, kind := fs.Str(keyController), fs.Str(keyKind)
	if maker == "" || kind == "" {
		return ""
	}
	return maker + " may create another " + kind + ", which adopts it"
}
