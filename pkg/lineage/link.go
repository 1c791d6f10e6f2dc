package lineage

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// State is what the garbage collector makes of an owner reference.
type State string

// The states of an owner.
const (
	// Solid: the owner exists, and keeps its dependents.
	Solid State = "solid"
	// Waiting: the owner is being deleted in the foreground, and waits for its dependents.
	Waiting State = "waiting"
	// Dangling: the owner does not exist, or has another UID.
	Dangling State = "dangling"
	// Unsettled: the garbage collector comes to no conclusion.
	Unsettled State = "unsettled"
	// Unread: the owner could not be read.
	Unread State = "unread"
)

// Link is one owner reference, checked.
type Link struct {
	// Owner is the object in the reference.
	Owner decision.Ref `json:"owner"`
	// Controller is the field controller of the reference.
	Controller bool `json:"controller"`
	// Blocks is the field blockOwnerDeletion of the reference: a deletion of the owner in
	// the foreground waits for the dependent.
	Blocks bool `json:"blockOwnerDeletion"`
	// State is what the garbage collector makes of the reference.
	State State `json:"state"`
	// OwnerDeleting is true when the owner is being deleted.
	OwnerDeleting bool `json:"ownerDeleting,omitempty"`
	decision.Ruling
	owner metav1.Object
}

// InState reports whether any link is in one of states.
//
//go:noinline // it is called at many places
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
		return collected(links, "Foreground if it has dependents"), true
	case slices.Contains(obj.GetFinalizers(), metav1.FinalizerOrphanDependents):
		return collected(links, "Orphan"), true
	case slices.Contains(obj.GetFinalizers(), metav1.FinalizerDeleteDependents):
		return collected(links, "Foreground"), true
	}
	return collected(links, "Background"), true
}

// collected says that an object is deleted, unless an owner is only missing in the input.
func collected(links []Link, policy string) decision.Ruling {
	return unlessMissing(links, Collected, decision.F(KeyPolicy, policy))
}

// unlessMissing is a ruling with the owner that files may merely lack, if any.
func unlessMissing(links []Link, rule string, facts ...decision.Fact) decision.Ruling {
	ruling := decision.Ruled(rule, facts...)
	if owner := LeftOut(links); owner != "" {
		ruling.Facts = append(ruling.Facts, decision.F(keyInput, owner))
	}
	return ruling
}

// LeftOut is an owner that files may merely lack, empty for none.
func LeftOut(links []Link) string {
	for i := range links {
		if l := &links[i]; l.Rule == OwnerAbsent && l.Facts.Str(keyInput) != "" {
			return l.Owner.String()
		}
	}
	return ""
}

func dropReferences(links []Link) (decision.Ruling, bool) {
	if !InState(links, Dangling, Waiting) {
		return decision.Ruling{}, false
	}
	keeper, rule, dropped := "", OrphanedOrCollected, []string(nil)
	for i := range links {
		switch l := &links[i]; {
		case l.State != Solid:
			dropped = append(dropped, l.Owner.String())
		case rule == OrphanedOrCollected && l.Rule != OwnerOrphans:
			keeper, rule = l.Owner.String(), ReferenceDropped
		case keeper == "":
			keeper = l.Owner.String()
		}
	}
	return unlessMissing(links, rule, decision.F(keyKeeper, keeper), decision.F(keyDropped, format.Some(dropped, len(dropped)))), true
}
