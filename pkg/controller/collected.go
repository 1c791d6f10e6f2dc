package controller

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
)

// stale says what is not there of an owner reference.
func stale(owner decision.Ref, replaced bool) (reason, message string) {
	if replaced {
		return lineage.OwnerReplaced, fmt.Sprintf("%s has another UID than the ownerReference says (%s)", owner, owner.UID)
	}
	return lineage.OwnerAbsent, fmt.Sprintf("%s does not exist", owner)
}

// collects reports whether the garbage collector deletes an object, as far as its owners
// are known.
func collects(r *view.Reader, obj metav1.Object) (decision.Ruling, bool) {
	ruling, acts := lineage.Collect(obj, lineage.NewChecker(r, lineage.Held).Links(obj))
	return ruling, acts && ruling.Rule == lineage.Collected
}

// collected returns the cause that the garbage collector deletes the target, nil where an
// owner keeps it and where that is not known.
func collected(r *view.Reader, t Target, target decision.Ref) *decision.Cause {
	obj, held := r.Held(t.Kind, t.Namespace, t.Name)
	if !held {
		return nil
	}
	ref, replaced := ownership.Dangling(r, obj)
	if ref == nil {
		return nil
	}
	ruling, deleted := collects(r, obj)
	if !deleted {
		return nil
	}
	owner := decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: t.Namespace, Name: ref.Name, UID: string(ref.UID)}
	reason, why := stale(owner, replaced)
	c := &decision.Cause{
		Object: target, Reason: reason, Label: "the garbage collector deletes it and its dependents", Briefs: []string{"the garbage collector deletes it"},
		Message: why + ": the garbage collector deletes " + target.String() + " and its dependents", Evidence: "metadata.ownerReferences",
		Next: fmt.Sprintf("kubectl ctrl owners %s --dependents -n %s", target, t.Namespace),
	}
	if ruling.Facts.Str("policy") == "Orphan" {
		c.Label, c.Message = c.Briefs[0], why+": the garbage collector deletes "+target.String()+" and orphans its dependents"
	}
	return c
}

// noteStale notes the objects that refer to the target as their controller by another UID,
// which the garbage collector deletes.
func noteStale(a *health.Assessment, d *decision.Decision, r *view.Reader) {
	var names, kinds []string
	for _, c := range d.Claims {
		if c.Rule == ownership.OtherController && refersBefore(r, c.Object, d.Target) {
			names, kinds = append(names, c.Object.String()), append(kinds, c.Object.Kind)
		}
	}
	if len(names) == 0 {
		return
	}
	d.AddCaveat(lineage.OwnerReplaced, fmt.Sprintf("%s: the ownerReference names %s with another UID, so that the garbage collector deletes %s, with dependents",
		wording.Some(names, len(names)), d.Target, wording.Plural(len(names), "object")))
	slices.Sort(kinds)
	for _, kind := range slices.Compact(slices.Clone(kinds)) {
		n := len(slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k != kind }))
		a.Besides = append(a.Besides, "the garbage collector deletes "+wording.Plural(n, kind))
	}
	a.BesidesNext = fmt.Sprintf("kubectl ctrl owners %s --dependents -n %s", d.Target, d.Target.Namespace)
}

// refersBefore reports whether the controller of an object is one of the target's name that
// was there before it, and no other owner keeps the object.
func refersBefore(r *view.Reader, object, target decision.Ref) bool {
	obj := held(r, object)
	if obj == nil {
		return false
	}
	ref := metav1.GetControllerOfNoCopy(obj)
	if ref == nil || ref.Kind != target.Kind || ref.Name != target.Name || ref.APIVersion != target.APIVersion || string(ref.UID) == target.UID {
		return false
	}
	_, deleted := collects(r, obj)
	return deleted
}

// held is the object that a Decision names, nil where it was not read.
func held(r *view.Reader, ref decision.Ref) metav1.Object {
	k, err := lineage.Held(ref.APIVersion, ref.Kind)
	if err != nil {
		return nil
	}
	obj, ok := r.Held(k, ref.Namespace, ref.Name)
	if !ok {
		return nil
	}
	return obj
}
