package controller

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

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
			text := fmt.Sprintf("%s: the ownerReference names %s with another UID, so that the garbage collector deletes %s", format.Some(names, len(names)), owner, format.Plural(len(names), stale[0].Kind))
			if stale[0].Kind != view.Pods.Kind {
				text += ", with dependents"
			}
			d.AddCaveat(lineage.OwnerReplaced, text)
		}
	}
	note(d.Target, refused(r, d))
	for _, s := range d.Sets {
		note(s.Object, strays(r, s.Object))
	}
	if len(count) == 0 {
		return
	}
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		a.Besides = append(a.Besides, "the garbage collector deletes "+format.Plural(count[kind], kind))
	}
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

// strays are the Pods that refer to a set by another UID than it has, of those that are
// read anyway: the sync of what scales the set looks at none.
func strays(r *view.Reader, set decision.Ref) []decision.Ref {
	if set.UID == "" || !knowsPods(r, set.Namespace) {
		return nil
	}
	named := controllers(r)[controllerName{set.Namespace, set.APIVersion, set.Kind, set.Name}]
	var all []decision.Ref
	for _, uid := range slices.Sorted(maps.Keys(named)) {
		if string(uid) == set.UID {
			continue
		}
		for _, pod := range named[uid] {
			if deletes(r, pod) {
				all = append(all, ownership.RefTo(view.Pods, pod))
			}
		}
	}
	return all
}

// knowsPods reports whether the Pods of a namespace are in the files, or were asked for.
func knowsPods(r *view.Reader, namespace string) bool {
	return !r.Vouches(view.Pods) || slices.ContainsFunc(r.Asked(), func(read view.Read) bool {
		return read.Err == nil && read.Kind.GroupKind() == view.Pods.GroupKind() && read.Name == "" && (read.Namespace == "" || read.Namespace == namespace)
	})
}

// controllerName is what a reference says of a controller besides its UID.
type controllerName struct{ namespace, apiVersion, kind, name string }

// controllers are the Pods by what they say of their controller.
func controllers(r *view.Reader) map[controllerName]map[types.UID][]metav1.Object {
	return view.Derived(r.View, controllerName{}, func() map[controllerName]map[types.UID][]metav1.Object {
		all := map[controllerName]map[types.UID][]metav1.Object{}
		for _, pod := range r.AllMetadata(view.Pods) {
			ref := metav1.GetControllerOfNoCopy(pod)
			if ref == nil {
				continue
			}
			name := controllerName{pod.GetNamespace(), ref.APIVersion, ref.Kind, ref.Name}
			if all[name] == nil {
				all[name] = map[types.UID][]metav1.Object{}
			}
			all[name][ref.UID] = append(all[name][ref.UID], pod)
		}
		return all
	})
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
