package handlers

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Type is the handler that an informer calls.
type Type string

// The handlers of cache.ResourceEventHandler.
const (
	Added   Type = "Added"
	Updated Type = "Updated"
	Deleted Type = "Deleted"
)

// Event is one call of a handler.
type Event struct {
	Type Type
	Kind view.Kind
	// Old is nil for Added; for Deleted it is the last state that was seen.
	// New is nil for Deleted.
	Old, New metav1.Object
}

// EventOf is the call that an informer makes of an object that is other than it was;
// old is nil for one that is new, now for one that is gone.
func EventOf(k view.Kind, old, now metav1.Object) Event {
	switch {
	case old == nil:
		return Event{Type: Added, Kind: k, New: now}
	case now == nil:
		return Event{Type: Deleted, Kind: k, Old: old}
	}
	return Event{Type: Updated, Kind: k, Old: old, New: now}
}

// Object is the latest state that the event shows.
func (e Event) Object() metav1.Object {
	if e.New != nil {
		return e.New
	}
	return e.Old
}

// Observation is what an event tells the expectations of a target.
type Observation string

// Creation and Deletion lower what is expected, Forget drops the record.
const (
	Creation Observation = "creation"
	Deletion Observation = "deletion"
	Forget   Observation = "forget"
)

// Effect is what one branch of a handler does to one target.
type Effect struct {
	decision.Ruling
	// Target is the key that the branch is about; its name is empty where no
	// key is concerned.
	Target view.Target
	// Observed is told to the expectations, about Of.
	Observed Observation
	Of       metav1.Object
	// Enqueue reports whether the key is added to the queue, After how much later.
	Enqueue bool
	After   time.Duration
}

// Store are the objects that handlers look up.
type Store interface {
	// Get finds an object by name.
	Get(k view.Kind, namespace, name string) (metav1.Object, bool)
	// In lists the objects of a kind in a namespace, or their metadata, in any order.
	In(k view.Kind, namespace string) []metav1.Object
}

// Cluster is what handlers look up: objects, and the controller's memory.
type Cluster interface {
	Store
	// Satisfied reports whether nothing is expected for the target.
	Satisfied(t view.Target) bool
}

// Handle is the event handler of one controller.
type Handle func(c Cluster, p profile.Profile, ev Event) []Effect
