package cluster

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Cache returns a Model of the same clock that shows this one as it is now. It changes
// by Show alone: by what watches bring.
func (m *Model) Cache() *Model {
	m.number()
	return &Model{features: m.features, view: m.View(), clock: m, dirty: map[schema.GroupKind]*layer{}}
}

// Show brings a change of the Model that this is a Cache of.
func (m *Model) Show(c Change) {
	obj := c.Now
	if obj == nil {
		obj = c.Was
	}
	m.layer(c.Kind).objects[key(obj)] = c.Now
}

// Outdated is the API server's refusal of a write that was made from an object as a
// cache shows it, and not as it is.
type Outdated struct {
	// Number is that of the write, from 1.
	Number int
	Write  *Write
	// Reason is metav1.StatusReasonConflict, or that of an object which is there
	// already, or is not there any more.
	Reason metav1.StatusReason
}

// Error is close to what the API server answers.
func (o *Outdated) Error() string {
	what := fmt.Sprintf("%s %q", o.Write.Kind.GroupResource(), o.Write.Name)
	switch o.Reason {
	case metav1.StatusReasonAlreadyExists:
		return what + " already exists"
	case metav1.StatusReasonNotFound:
		return what + " not found"
	}
	return what + " has been modified"
}

// Outdated returns the first of a sync's writes that the API server refuses because
// the sync was decided on a cache which is behind; nil for none. Those that are left
// out are not made.
func (m *Model) Outdated(cache *Model, writes []Write, left map[int]bool) *Outdated {
	type object struct {
		kind schema.GroupKind
		name types.NamespacedName
	}
	mine := map[object]bool{} // what the sync wrote itself, it knows
	for i := range writes {
		w := &writes[i]
		if w.Err != nil || left[i+1] || w.Generate {
			continue
		}
		at := object{w.Kind.GroupKind(), types.NamespacedName{Namespace: w.Namespace, Name: w.Name}}
		if reason := m.outdated(cache, w); reason != "" && !mine[at] {
			return &Outdated{i + 1, w, reason}
		}
		mine[at] = true
	}
	return nil
}

// outdated is why a write is refused that a cache led to; empty where it is not.
func (m *Model) outdated(cache *Model, w *Write) metav1.StatusReason {
	was, seen := cache.Get(w.Kind, w.Namespace, w.Name)
	now, there := m.Get(w.Kind, w.Namespace, w.Name)
	switch {
	case w.Verb == Create && there && !seen:
		return metav1.StatusReasonAlreadyExists
	case w.Verb != Update:
		return "" // patches and deletions hold whatever was read
	case seen && !there:
		return metav1.StatusReasonNotFound
	case seen && !w.Rereads && was.GetResourceVersion() != now.GetResourceVersion():
		return metav1.StatusReasonConflict
	}
	return ""
}
