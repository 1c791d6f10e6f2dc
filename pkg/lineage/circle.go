package lineage

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// unblocked reports whether the collector makes the owner references of a
// dependent non-blocking before it deletes it: one of its own dependents is being
// deleted in the foreground, so that there may be a circle (attemptToDeleteItem of
// pkg/controller/garbagecollector/garbagecollector.go, v1.37.1). Of those that go
// only because it goes, none is so far.
func (d *deletion) unblocked(dep object) bool {
	return dep.GetDeletionTimestamp() == nil && slices.ContainsFunc(d.below[dep.GetUID()], func(o object) bool {
		return d.taken[o.GetUID()] == 1 || DeletesDependents(o)
	})
}

// stuck warns of a target that waits for itself: directly, or through dependents
// that are being deleted in the foreground already. Of these the collector asks
// nothing more (processDeletingDependentsItem, same file).
func (w *walker) stuck(target object) {
	if w.OnDelete != Foreground {
		return
	}
	seen := map[types.UID]bool{}
	for waiting := []object{target}; len(waiting) > 0; {
		owner := waiting[0]
		waiting = waiting[1:]
		for _, dep := range w.below[owner.GetUID()] {
			switch {
			case !w.blocks(dep, owner):
			case dep.GetUID() == target.GetUID():
				w.g.Caveats = append(w.g.Caveats, waitsForItself(target.ref(), owner.ref()))
				return
			case DeletesDependents(dep) && !seen[dep.GetUID()]:
				seen[dep.GetUID()] = true
				waiting = append(waiting, dep)
			}
		}
	}
}

func (w *walker) blocks(dep, owner object) bool {
	return slices.ContainsFunc(w.linksOf(dep), func(l Link) bool { return l.Blocks && types.UID(l.Owner.UID) == owner.GetUID() })
}

func waitsForItself(target, owner decision.Ref) decision.Caveat {
	text := fmt.Sprintf("%s blocks its own deletion: it stays until somebody removes that ownerReference", target)
	if target != owner {
		text = fmt.Sprintf("%s and %s wait for each other: both stay until somebody removes an ownerReference between them", target, owner)
	}
	return decision.Caveat{Code: "WaitsForItself", Message: text + " or the finalizer " + metav1.FinalizerDeleteDependents}
}
