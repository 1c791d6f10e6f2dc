package lineage

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// State is what the garbage collector makes of an owner reference.
type State string

// Solid owners keep their dependents. Waiting ones are being deleted in the
// foreground and wait for them. Dangling ones do not exist. Unsettled ones are
// those that the collector comes to no conclusion about; Unread those that
// could not be read here.
const (
	Solid     State = "solid"
	Waiting   State = "waiting"
	Dangling  State = "dangling"
	Unsettled State = "unsettled"
	Unread    State = "unread"
)

// Link is one owner reference, checked.
type Link struct {
	Owner      decision.Ref `json:"owner"`
	Controller bool         `json:"controller"`
	// Blocks is blockOwnerDeletion: a foreground deletion of the owner waits.
	Blocks bool  `json:"blockOwnerDeletion"`
	State  State `json:"state"`
	// OwnerDeleting says that the owner is on its way out.
	OwnerDeleting bool `json:"ownerDeleting,omitempty"`
	decision.Ruling
	owner metav1.Object
}

// InState tells whether any link is in one of states.
func InState(links []Link, states ...State) bool {
	return slices.ContainsFunc(links, func(l Link) bool { return slices.Contains(states, l.State) })
}

// Collect tells what the garbage collector does with an object of these
// links (attemptToDeleteItem). It is false when there is nothing to do.
func Collect(obj metav1.Object, links []Link) (decision.Ruling, bool) {
	switch {
	case len(links) == 0 || InState(links, Unread):
		return decision.Ruling{}, false
	case obj.GetDeletionTimestamp() != nil:
		return decision.Ruled(AlreadyDeleting), true
	case InState(links, Unsettled):
		return decision.Ruled(CollectorStuck), true
	case InState(links, Solid):
		return dropReferences(links)
	case InState(links, Waiting): // its finalizers matter only where it has none
		return decision.Ruled(Collected, decision.F("policy", "Foreground if it has dependents")), true
	case slices.Contains(obj.GetFinalizers(), metav1.FinalizerOrphanDependents):
		return decision.Ruled(Collected, decision.F("policy", "Orphan")), true
	case slices.Contains(obj.GetFinalizers(), metav1.FinalizerDeleteDependents):
		return decision.Ruled(Collected, decision.F("policy", "Foreground")), true
	}
	return decision.Ruled(Collected, decision.F("policy", "Background")), true
}

func dropReferences(links []Link) (decision.Ruling, bool) {
	if !InState(links, Dangling, Waiting) {
		return decision.Ruling{}, false
	}
	i := slices.IndexFunc(links, func(l Link) bool { return l.State == Solid })
	return decision.Ruled(ReferenceDropped, decision.F("keeper", links[i].Owner.String())), true
}
