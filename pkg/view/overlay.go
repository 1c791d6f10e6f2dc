package view

import (
	"maps"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// At is the View with another now; ages are measured at that. The underlying
// View stays as it is.
func (v *View) At(now time.Time) *View {
	over := *v
	over.now = now
	return &over
}

// Changed lays put over the View as With does, and leaves dropped out. The
// underlying View stays as it is.
func (v *View) Changed(k Kind, put, dropped []metav1.Object) *View {
	over := *v
	over.hypothetical = true
	over.stores = maps.Clone(v.stores)
	gk := k.GroupKind()
	fresh := &store{kind: k, byKey: map[types.NamespacedName]metav1.Object{}}
	if old, ok := v.stores[gk]; ok {
		fresh.byKey = maps.Clone(old.byKey)
	}
	before := len(fresh.byKey)
	for _, obj := range dropped {
		delete(fresh.byKey, keyOf(obj))
	}
	for _, obj := range put {
		fresh.byKey[keyOf(obj)] = obj
	}
	if len(dropped) == 0 && len(fresh.byKey) == before && before > 0 {
		fresh.like = v.stores[gk].index().all // the names are the same, and so is their order
	}
	over.stores[gk] = fresh
	return &over
}

// Held is the object of that name as the View holds it, in whatever detail.
func (v *View) Held(k Kind, namespace, name string) (metav1.Object, bool) {
	s, ok := v.stores[k.GroupKind()]
	if !ok {
		return nil, false
	}
	obj, ok := s.byKey[types.NamespacedName{Namespace: namespace, Name: name}]
	return obj, ok
}
