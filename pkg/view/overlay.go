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
	over.now, over.read = now, v.ReadAt()
	return &over
}

// ReadAt is the instant at which what nobody predicts, such as a Lease, was as the View has
// it: that of the View of which this one is at a later now.
func (v *View) ReadAt() time.Time {
	if v.read.IsZero() {
		return v.now
	}
	return v.read
}

// AsRead is the View without what was laid over it.
func (v *View) AsRead() *View {
	if v.under == nil {
		return v
	}
	return v.under
}

// Changed lays put over the View as With does, and leaves dropped out. The
// underlying View stays as it is.
func (v *View) Changed(k Kind, put, dropped []metav1.Object) *View {
	over := *v
	over.hypothetical, over.under = true, v.AsRead()
	over.derived = newDerived()
	over.stores = maps.Clone(v.stores)
	changes := make(map[types.NamespacedName]metav1.Object, len(put)+len(dropped))
	for _, obj := range dropped {
		changes[keyOf(obj)] = nil
	}
	for _, obj := range put {
		changes[keyOf(obj)] = obj
	}
	over.stores[k.GroupKind()] = v.stores[k.GroupKind()].changed(k, changes)
	return &over
}

// Held is the object of that name as the View holds it: full, or its metadata.
func (v *View) Held(k Kind, namespace, name string) (metav1.Object, bool) {
	s, ok := v.stores[k.GroupKind()]
	if !ok {
		return nil, false
	}
	obj, ok := s.get(types.NamespacedName{Namespace: namespace, Name: name})
	return Decoded(obj), ok
}
