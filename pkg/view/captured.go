package view

import (
	"errors"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NotCaptured reports whether err is that of a need that files, which say what
// was read, were captured without.
func NotCaptured(err error) bool {
	var absent *NotInInput
	return errors.As(err, &absent) && absent.Vouched
}

// TakenAsNone is what files lack that hold no objects of a kind, where the status of the
// one that controls them counts none.
const TakenAsNone = "they are taken not to exist, as status counts none"

// TakenAsNone reports whether there are taken to be no objects of a kind: files that don't
// say what was read hold none, and the status of what controls them counts none.
func (v *View) TakenAsNone(k Kind, controllers ...metav1.Object) bool {
	_, err := v.covered(Need{Kind: k})
	return err != nil && !v.Vouches(k) && !slices.ContainsFunc(controllers, countsAny)
}

// countsAny reports whether a status counts replicas, or may.
func countsAny(obj metav1.Object) bool {
	n, known := StatusNumber(obj, "replicas")
	return n != 0 || !known
}

// InHand lists the whole objects of a need that the View holds, though not all
// of them may have been captured; none where they are too many.
func (v *View) InHand(need Need) []metav1.Object {
	if need.Detail = Full; v.fits(need) != nil {
		return nil
	}
	var all []metav1.Object
	for _, obj := range v.AllMetadata(need.Kind) {
		if isFull(obj) && (need.Namespace == "" || need.Namespace == obj.GetNamespace()) {
			all = append(all, Decoded(obj))
		}
	}
	return all
}

// Mentions reports whether the View holds an object of a kind, or did before changes, or
// one that refers to such an owner.
func (v *View) Mentions(k Kind) bool {
	if s, ok := v.stores[k.GroupKind()]; ok && s.holds() {
		return true
	}
	for _, s := range v.stores {
		if slices.ContainsFunc(s.index().all, func(obj metav1.Object) bool { return ownedBy(obj, k) }) {
			return true
		}
	}
	return false
}

func ownedBy(obj metav1.Object, k Kind) bool {
	return slices.ContainsFunc(obj.GetOwnerReferences(), func(ref metav1.OwnerReference) bool {
		return k.Refers(ref.APIVersion, ref.Kind)
	})
}

// Namespaces lists those that the View holds an object of, or in, or that were read.
func (v *View) Namespaces() []string {
	names := map[string]bool{}
	for _, s := range v.stores {
		for _, obj := range s.index().all {
			names[obj.GetNamespace()] = true
		}
	}
	for _, obj := range v.AllMetadata(Namespaces) {
		names[obj.GetName()] = true
	}
	for _, reads := range v.coverage {
		for _, read := range reads {
			names[read.Namespace] = read.Err == nil || names[read.Namespace]
		}
	}
	delete(names, "")
	maps.DeleteFunc(names, func(_ string, held bool) bool { return !held })
	return slices.Sorted(maps.Keys(names))
}

// Whole lists of which kinds all objects of a namespace, or of some, were read:
// "pods, jobs.batch in all namespaces; replicasets.apps in namespace shop".
func (v *View) Whole(namespace string, kinds []Kind) string {
	var scopes []string
	in := map[string][]string{}
	for _, k := range kinds {
		for _, r := range v.coverage[k.GroupKind()] {
			name := k.GroupResource()
			scope := strings.TrimPrefix(r.String(), name)
			inside := namespace == "" || r.Namespace == "" || r.Namespace == namespace
			if !inside || r.Err != nil || !r.All() || slices.Contains(in[scope], name) {
				continue
			}
			if in[scope] == nil {
				scopes = append(scopes, scope)
			}
			in[scope] = append(in[scope], name)
		}
	}
	for i, scope := range scopes {
		scopes[i] = strings.Join(in[scope], ", ") + scope
	}
	return strings.Join(scopes, "; ")
}
