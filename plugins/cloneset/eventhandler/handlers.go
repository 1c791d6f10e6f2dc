package eventhandler

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Handle is the manager's event handler for CloneSets
// (cloneset_event_handler.go, and add of cloneset_controller.go, v1.9.1).
func Handle(view.Kind) handlers.Handle {
	m := &managers{}
	return func(c handlers.Cluster, p profile.Profile, ev handlers.Event) []handlers.Effect {
		switch ev.Kind.GroupKind() {
		case view.CloneSets.GroupKind():
			return handlers.Targets{}.Handle(ev)
		case view.Pods.GroupKind():
			return pods(m, p).Handle(c, ev)
		case view.PersistentVolumeClaims.GroupKind():
			return claimEvent(c, ev)
		}
		return nil
	}
}

var dependents = handlers.Dependents{Owner: view.CloneSets, Resolve: resolve, Counts: true, Created: created}

// pods are the dependents of which some updates may pass unheard.
func pods(m *managers, p profile.Profile) handlers.Dependents {
	h := dependents
	h.Changed = func(c handlers.Cluster, ev handlers.Event, owner view.Target, moved bool) []handlers.Effect {
		if moved {
			return m.enqueue(owner)
		}
		k := m.of(c, p)
		if !k.optimizes {
			return m.enqueue(owner)
		}
		return []handlers.Effect{podUpdated(k.behaviour, c, ev, owner)}
	}
	return h
}

// resolve compares kind and group alone: neither the version nor the UID, and
// the CloneSet need not be there (resolveControllerRef).
func resolve(_ handlers.Cluster, namespace string, ref *metav1.OwnerReference) (view.Target, bool) {
	if !view.CloneSets.Refers(ref.APIVersion, ref.Kind) {
		return view.Target{}, false
	}
	return view.Target{Kind: view.CloneSets, Namespace: namespace, Name: ref.Name}, true
}

// hesitation is how long the key of a pod waits that nobody expected. Upstream
// means it to grow with each repetition (initialingRateLimiter), but asks the
// limiter with another pointer each time, which it has never seen before.
const hesitation = 3 * time.Second

// created lets the key of a pod wait that nobody expected.
func created(e handlers.Effect, c handlers.Cluster) handlers.Effect {
	if c.Satisfied(e.Target) {
		e.After = hesitation
		e.Ruling = decision.Ruled(handlers.ExistingDependent, decision.F(handlers.KeyOwner, handlers.Name(e.Target)))
	}
	return e
}

// claimEvent handles volume claims: orphans and updates mean nothing, but for
// the deletion timestamp.
func claimEvent(c handlers.Cluster, ev handlers.Event) []handlers.Effect {
	obj := ev.Object()
	if metav1.GetControllerOfNoCopy(obj) == nil {
		return nil
	}
	if ev.Type == handlers.Updated {
		if obj.GetDeletionTimestamp() == nil {
			return nil
		}
		ev = handlers.Event{Type: handlers.Deleted, Kind: ev.Kind, Old: obj}
	}
	return dependents.Handle(c, ev)
}
