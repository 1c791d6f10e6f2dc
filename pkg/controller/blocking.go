package controller

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// noteBlocking names what a target waits for that is deleted in the foreground, where its
// controller knows of none: the dependents with blockOwnerDeletion, of those that were read
// (garbagecollector.go processDeletingDependentsItem, v1.37.1).
func noteBlocking(a *health.Assessment, d *decision.Decision, r *view.Reader) {
	if len(a.Causes) != 1 || a.Causes[0].Object != d.Target || !lineage.DeletesDependents(held(r, d.Target)) {
		return
	}
	all := blocking(r, d.Target)
	if len(all) == 0 {
		return
	}
	var names, says []string
	for _, obj := range all[:min(len(all), format.Most)] {
		names = append(names, obj.ref.String())
		says = append(says, obj.says())
	}
	a.Causes[0].Call("waits for "+format.Some(names, len(all)), a.Causes[0].Message+"; removed once its dependents are: "+format.Some(says, len(all)),
		health.Whole(strings.ToLower(all[0].ref.Kind), all[0].ref.Namespace, all[0].ref.Name))
}

// blocker is a dependent that its owner waits for.
type blocker struct {
	ref    decision.Ref
	Object metav1.Object
}

func (b blocker) says() string {
	switch held := b.Object.GetFinalizers(); {
	case b.Object.GetDeletionTimestamp() == nil:
		return b.ref.String()
	case len(held) > 0:
		return b.ref.String() + " (being deleted, " + health.Finalizers(held) + ")"
	}
	return b.ref.String() + " (being deleted)"
}

// blocking are the dependents that an owner waits for, of all kinds that were read.
func blocking(r *view.Reader, owner decision.Ref) (all []blocker) {
	name := ownerName{owner.Namespace, owner.APIVersion, owner.Kind, owner.Name}
	for _, k := range slices.Concat(view.Kinds(), r.Others()) {
		for _, obj := range referring(r, k)[name] {
			if slices.ContainsFunc(obj.GetOwnerReferences(), func(ref metav1.OwnerReference) bool {
				return string(ref.UID) == owner.UID && ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion
			}) && !keptBesides(r, obj) {
				all = append(all, blocker{ownership.RefTo(k, obj), obj})
			}
		}
	}
	return all
}

// keptBesides reports whether another owner keeps an object: the garbage collector takes out
// the reference to the one that waits.
func keptBesides(r *view.Reader, obj metav1.Object) bool {
	return obj.GetDeletionTimestamp() == nil && lineage.InState(lineage.NewChecker(r).Links(obj), lineage.Solid)
}
