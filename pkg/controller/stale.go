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
// controller by another UID, and the volume claims that refer to earlier Pods of it, which the
// garbage collector deletes; it may delete those with an owner that was not read.
func noteStale(a *health.Assessment, d *decision.Decision, r *view.Reader) {
	s := &sweep{r: r, d: d, causes: a.Causes, seen: map[decision.Ref]bool{}, verb: "deletes", tally: &d.Swept.Certain}
	s.note(d.Target.String()+anotherUID, refused(r, d))
	s.look(a)
	s.verb, s.tally, s.possible = "may delete", &d.Swept.Possible, true
	s.look(a)
	if len(s.said) > 0 {
		a.Besides = append(a.Besides, s.said...)
		a.BesidesNext = fmt.Sprintf("kubectl ctrl owners %s --dependents -n %s", d.Target, d.Target.Namespace)
	}
}

const anotherUID = " with another UID"

// sweep looks for what the garbage collector deletes, or may delete.
type sweep struct {
	r        *view.Reader
	d        *decision.Decision
	causes   []decision.Cause
	seen     map[decision.Ref]bool
	verb     string
	tally    *decision.Toll
	possible bool
	count    map[string]int
	said     []string
}

// look notes what is only seen by its references: no sync looks at it.
func (s *sweep) look(a *health.Assessment) {
	for i := range s.d.Sets {
		set := s.d.Sets[i].Object
		s.note(set.String()+anotherUID, s.strays(view.Pods, set))
	}
	s.note(s.d.Target.String()+anotherUID, s.strays(view.PersistentVolumeClaims, s.d.Target))
	s.note("an earlier Pod", s.strays(view.PersistentVolumeClaims, a.Before...))
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(s.count)) {
		word := kind
		if kind == view.PersistentVolumeClaims.Kind {
			word = "PVC"
		}
		kinds = append(kinds, format.Plural(s.count[kind], word))
	}
	if len(kinds) > 0 {
		s.said = append(s.said, "the garbage collector "+s.verb+" "+strings.Join(kinds, ", "))
	}
	s.count = nil
}

// note adds objects whose ownerReference names something.
func (s *sweep) note(named string, stale []decision.Ref) {
	var names []string
	for _, o := range stale {
		switch {
		case s.seen[o]:
			continue
		case o.Kind == view.PersistentVolumeClaims.Kind:
			s.tally.ClaimsDeleted++
		}
		s.seen[o] = true
		if !slices.ContainsFunc(s.causes, func(c decision.Cause) bool { return same(c.Object, o) }) { // which says it
			names = append(names, o.String())
		}
	}
	n := len(names)
	if n == 0 {
		return
	}
	if s.count == nil {
		s.count = map[string]int{}
	}
	kind := stale[0].Kind
	s.count[kind] += n
	s.d.AddCaveat(lineage.OwnerReplaced, fmt.Sprintf("%s: the ownerReference names %s, so that the garbage collector %s %s%s", format.Some(names, n), named, s.verb, format.Plural(n, kind), goes(kind, n)))
}

// refused are the objects that the target does not claim since they refer to another UID
// of its name.
func refused(r *view.Reader, d *decision.Decision) []decision.Ref {
	var all []decision.Ref
	for _, c := range d.Claims {
		if c.Rule == ownership.OtherController && refersBefore(held(r, c.Object), d.Target) {
			if _, deleted := collects(r, held(r, c.Object)); deleted {
				all = append(all, c.Object)
			}
		}
	}
	return all
}

// goes says what else becomes of n objects of a kind that the garbage collector deletes.
func goes(kind string, n int) string {
	switch {
	case kind == view.Pods.Kind:
		return ""
	case kind != view.PersistentVolumeClaims.Kind:
		return ", with dependents"
	case n == 1:
		return ", once no Pod uses it: what is created in its place has none of its data"
	}
	return ", each once no Pod uses it: what is created in its place has none of its data"
}

// strays are the objects of a kind that refer to one of some owners by another UID than it has,
// of those that are read anyway, and that the garbage collector deletes, or else may delete.
func (s *sweep) strays(k view.Kind, owners ...decision.Ref) (all []decision.Ref) {
	for i := range owners {
		o := &owners[i]
		named := referring(s.r, k)[ownerName{o.Namespace, o.APIVersion, o.Kind, o.Name}]
		if len(named) == 0 || !knows(s.r, k, o.Namespace) || o.UID == "" && held(s.r, *o) != nil {
			continue
		}
		for _, obj := range named {
			if !refersTo(obj, o.UID) && s.collects(obj) {
				all = append(all, ownership.RefTo(k, obj))
			}
		}
	}
	return all
}

// collects reports whether the garbage collector deletes an object that refers to an owner which
// is gone for certain, or else possibly: unless an owner that was not read is there.
func (s *sweep) collects(obj metav1.Object) bool {
	links := lineage.NewChecker(s.r).Links(obj)
	ruling, acts := lineage.Collect(obj, links)
	certain := acts && ruling.Rule == lineage.Collected && lineage.LeftOut(links) == ""
	if !s.possible {
		return certain
	}
	return !certain && obj.GetDeletionTimestamp() == nil && !lineage.InState(links, lineage.Solid)
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
