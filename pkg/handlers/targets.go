package handlers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Targets handles events of the objects that a controller syncs.
type Targets struct {
	// Forgets: a deleted target's expectations are dropped at once, and one that
	// comes back under the same name with another UID counts as deleted first
	// (updateRS and deleteRS of replica_set.go, v1.37.1).
	Forgets bool
}

// Handle enqueues the target, whatever happened to it.
func (h Targets) Handle(ev Event) []Effect {
	switch ev.Type {
	case Added:
		return []Effect{enqueue(ev.Kind, ev.New, decision.Ruled(TargetAdded))}
	case Deleted:
		return []Effect{h.deleted(ev.Kind, ev.Old, TargetDeleted)}
	}
	var effects []Effect
	if h.Forgets && ev.Old.GetUID() != ev.New.GetUID() {
		effects = append(effects, h.deleted(ev.Kind, ev.Old, TargetReplaced))
	}
	rule := TargetUpdated
	if ev.Old.GetResourceVersion() == ev.New.GetResourceVersion() {
		rule = TargetResynced
	}
	return append(effects, enqueue(ev.Kind, ev.New, decision.Ruled(rule,
		decision.F(keyOldGeneration, ev.Old.GetGeneration()), decision.F(keyGeneration, ev.New.GetGeneration()))))
}

func (h Targets) deleted(k view.Kind, obj metav1.Object, rule string) Effect {
	e := enqueue(k, obj, decision.Ruled(rule, decision.F(keyForgets, h.Forgets)))
	if h.Forgets {
		e.Observed, e.Of = Forget, obj
	}
	return e
}

func enqueue(k view.Kind, obj metav1.Object, why decision.Ruling) Effect {
	return Effect{Ruling: why, Target: TargetOf(k, obj), Enqueue: true}
}

// TargetOf names the key of an object.
func TargetOf(k view.Kind, obj metav1.Object) view.Target {
	return view.Target{Kind: k, Namespace: obj.GetNamespace(), Name: obj.GetName()}
}
