package controller

import (
	"fmt"
	"maps"
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

// noteStale notes the objects that refer to the target, or to what it scales, as their
// controller by another UID, which the garbage collector deletes.
func noteStale(a *health.Assessment, d *decision.Decision, r *view.Reader) {
	count := map[string]int{}
	note := func(owner decision.Ref, stale []decision.Ref) {
		var names []string
		for _, o := range stale {
			names = append(names, o.String())
			count[o.Kind]++
		}
		if len(names) > 0 {
			d.AddCaveat(lineage.OwnerReplaced, fmt.Sprintf("%s: the ownerReference names %s with another UID, so that the garbage collector deletes %s%s", format.Some(names, len(names)), owner, format.Plural(len(names), stale[0].Kind), goes(stale[0].Kind)))
		}
	}
	note(d.Target, refused(r, d))
	for _, s := range d.Sets {
		note(s.Object, strays(r, view.Pods, s.Object))
	}
	note(d.Target, strays(r, view.PersistentVolumeClaims, d.Target))
	if len(count) == 0 {
		return
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		word := kind
		if kind == view.PersistentVolumeClaims.Kind {
			word = "PVC"
		}
		kinds = append(kinds, format.Plural(count[kind], word))
	}
	a.Besides = append(a.Besides, "the garbage collector deletes "+strings.Join(kinds, ", "))
	a.BesidesNext = fmt.Sprintf("kubectl ctrl owners %s --dependents -n %s", d.Target, d.Target.Namespace)
}

// refused are the objects that the target does not claim since they refer to another UID
// of its name.
func refused(r *view.Reader, d *decision.Decision) []decision.Ref {
	var all []decision.Ref
	for _, c := range d.Claims {
		if c.Rule == ownership.OtherController && refersBefore(held(r, c.Object), d.Target) && deletes(r, held(r, c.Object)) {
			all = append(all, c.Object)
		}
	}
	return all
}

// goes says what else becomes of objects of a kind that the garbage collector deletes.
func goes(kind string) string {
	switch kind {
	case view.Pods.Kind:
		return ""
	case view.PersistentVolumeClaims.Kind:
		return ", each once no Pod uses it: what is created in its place has none of its data"
	}
	return ", with dependents"
}

// strays are the objects of a kind that refer to an owner by another UID than it has, of those
// that are read anyway: no sync looks at them.
func strays(r *view.Reader, k view.Kind, owner decision.Ref) []decision.Ref {
	if owner.UID == "" || !knows(r, k, owner.Namespace) {
		return nil
	}
	var all []decision.Ref
	for _, obj := range referring(r, k)[ownerName{owner.Namespace, owner.APIVersion, owner.Kind, owner.Name}] {
		if !refersTo(obj, owner.UID) && deletes(r, obj) {
			all = append(all, ownership.RefTo(k, obj))
		}
	}
	return slices.Compact(all) // one may have two of the name
}

// knows reports whether the objects of a kind in a namespace are in the files, or were asked
// for.
func knows(r *view.Reader, k view.Kind, namespace string) bool {
	return !r.Vouches(k) || slices.ContainsFunc(r.Asked(), func(read view.Read) bool {
		return read.Err == nil && read.Kind.GroupKind() == k.GroupKind() && read.Name == "" && (read.Namespace == "" || read.Namespace == namespace)
	})
}

// ownerName is what a reference says of an owner besides its UID.
type ownerName struct{ namespace, apiVersion, kind, name string }

// referring are the objects of a kind by the names of their owners.
func referring(r *view.Reader, k view.Kind) map[ownerName][]metav1.Object {
	type key struct{ kind string }
	return view.Derived(r.View, key{k.GroupResource()}, func() map[ownerName][]metav1.Object {
		all := map[ownerName][]metav1.Object{}
		for _, obj := range r.AllMetadata(k) {
			for _, ref := range obj.GetOwnerReferences() {
				name := ownerName{obj.GetNamespace(), ref.APIVersion, ref.Kind, ref.Name}
				all[name] = append(all[name], obj)
			}
		}
		return all
	})
}

// refersTo reports whether an object has an owner of a UID.
func refersTo(obj metav1.Object, uid string) bool {
	return slices.ContainsFunc(obj.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return string(ref.UID) == uid })
}

// refersBefore reports whether the controller of an object is one of the target's name that
// was there before it.
func refersBefore(obj metav1.Object, target decision.Ref) bool {
	if obj == nil {
		return false
	}
	ref := metav1.GetControllerOfNoCopy(obj)
	return ref != nil && ref.Kind == target.Kind && ref.Name == target.Name && ref.APIVersion == target.APIVersion && string(ref.UID) != target.UID
}

// deletes reports whether the garbage collector deletes an object.
func deletes(r *view.Reader, obj metav1.Object) bool {
	_, deleted := collects(r, obj)
	return deleted
}
