package controller

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// stale says what is not there of an owner reference.
func stale(owner decision.Ref, replaced bool) (reason, message string) {
	if replaced {
		return lineage.OwnerReplaced, fmt.Sprintf("%s has another UID than the ownerReference says (%s)", owner, owner.UID)
	}
	return lineage.OwnerAbsent, fmt.Sprintf("%s does not exist", owner)
}

// orphanedBy says that an owner is being deleted so.
func orphanedBy(owner string) string { return owner + " is being deleted and orphans it" }

// thenAdopted says, behind what takes an object its controller, who of n adopts it; it is
// empty for none.
func thenAdopted(first []decision.Ref, n int) string {
	if n == 0 {
		return ""
	}
	return ", then " + format.OneOf(names(first), n) + " adopts it"
}

// noteOrphaned notes that the garbage collector takes the reference to its controller out of
// the target (garbagecollector.go orphanDependents, v1.37.1).
func (c *Controller) noteOrphaned(a *health.Assessment, d *decision.Decision, r *view.Reader, t Target) {
	obj, there := r.Held(t.Kind, t.Namespace, t.Name)
	if !there || len(d.Owners) == 0 {
		return
	}
	owner := d.Owners[len(d.Owners)-1]
	if now := held(r, owner); !lineage.Orphaning(now) || !metav1.IsControlledBy(obj, now) {
		return
	}
	then := ""
	if c.Adopters != nil {
		then = thenAdopted(c.Adopters(r, ownership.Freed(obj, types.UID(owner.UID))))
	}
	a.Besides = append(a.Besides, orphanedBy(owner.String())+then)
	d.AddCaveat("OwnerOrphans", fmt.Sprintf("%s: the garbage collector takes its reference out of %s, which stays, without a controller until one adopts it", orphanedBy(owner.String()), d.Target))
}

// foregroundOf says that an owner is being deleted so.
func foregroundOf(owner decision.Ref) (reason, message string) {
	return lineage.OwnerWaits, fmt.Sprintf("%s is being deleted in the foreground", owner)
}

// takenAbsent is the caveat that an owner is taken to be absent since files hold others of
// its kind, and do not say that these are all.
func takenAbsent(r *view.Reader, k view.Kind, owner decision.Ref) (decision.Caveat, bool) {
	return decision.Caveat{Code: "TakenAbsent", Message: fmt.Sprintf(
		"the input holds %s, but not %s: it is taken not to exist", k.GroupResource(), owner)}, !r.Vouches(k)
}

// leftOut is the case that an owner which files lack is there all the same.
func leftOut(owner decision.Ref) string { return fmt.Sprintf("%s was left out of the input", owner) }

// collects reports whether the garbage collector deletes an object, as far as its owners
// are known.
func collects(r *view.Reader, obj metav1.Object) (decision.Ruling, bool) {
	ruling, acts := lineage.Collect(obj, lineage.NewChecker(r).Links(obj))
	return ruling, acts && ruling.Rule == lineage.Collected
}

// collected returns the cause that the garbage collector deletes the target, nil where an
// owner keeps it and where that is not known.
func collected(r *view.Reader, t Target, d *decision.Decision) *decision.Cause {
	target := d.Target
	obj, there := r.Held(t.Kind, t.Namespace, t.Name)
	if !there {
		return nil
	}
	ref, replaced := ownership.Dangling(r, obj)
	dangling := ref != nil
	if ref = metav1.GetControllerOfNoCopy(obj); ref == nil {
		return nil
	}
	owner := decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: t.Namespace, Name: ref.Name, UID: string(ref.UID)}
	ruling, deleted := collects(r, obj)
	if !deleted || !dangling && !lineage.DeletesDependents(held(r, owner)) {
		return nil
	}
	reason, why := foregroundOf(owner)
	if dangling {
		reason, why = stale(owner, replaced)
	}
	unless := ""
	if k, err := lineage.HeldIn(r.View)(owner.APIVersion, owner.Kind); err == nil && dangling && !replaced {
		if caveat, ok := takenAbsent(r, k, owner); ok {
			d.Warn(caveat)
			unless = leftOut(owner)
		}
	}
	deletes, dependents := "the garbage collector deletes ", " and its dependents"
	label := deletes + "it" + dependents
	if ruling.Facts.Str(lineage.KeyPolicy) == "Orphan" {
		label, dependents = deletes+"it", " and orphans its dependents"
	}
	c := &decision.Cause{
		Object: target, Reason: reason, Label: label, Briefs: []string{deletes + "it"},
		Message: why + ": " + deletes + target.String() + dependents, Evidence: "metadata.ownerReferences",
		Next: fmt.Sprintf("kubectl ctrl owners %s --dependents -n %s", target, t.Namespace),
	}
	c.Unless(unless)
	return c
}

// held is the object that a Decision names, nil where it was not read.
func held(r *view.Reader, ref decision.Ref) metav1.Object {
	k, err := lineage.HeldIn(r.View)(ref.APIVersion, ref.Kind)
	if err != nil {
		return nil
	}
	obj, ok := r.Held(k, ref.Namespace, ref.Name)
	if !ok {
		return nil
	}
	return obj
}
