package handlers

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Dependents handles events of the objects that a controller's targets own.
// The order of its branches is that of addPod, updatePod and deletePod of
// pkg/controller/replicaset/replica_set.go (v1.37.1), which the handlers of
// Deployments for ReplicaSets and those of Kruise share.
type Dependents struct {
	// Owner is the kind of the targets.
	Owner view.Kind
	// Resolve finds the target that a controller reference means.
	Resolve Resolve
	// Selector is that of a target's dependents; nil for kinds without a Go type.
	Selector func(target metav1.Object) (labels.Selector, error)
	// Counts: creations and deletions are told to the expectations.
	Counts bool
	// Strict: one invalid selector in the namespace keeps all from being found.
	Strict bool
	// Created replaces the effect of a creation; nil leaves it.
	Created func(Effect, Cluster) Effect
	// Changed tells what an update of an owned dependent does besides or
	// instead of enqueueing its target; nil enqueues it.
	Changed func(c Cluster, ev Event, owner view.Target, moved bool) []Effect
}

// Resolve finds the target of a controller reference in a namespace.
type Resolve func(c Cluster, namespace string, ref *metav1.OwnerReference) (view.Target, bool)

// ByNameAndUID is resolveControllerRef of the Kubernetes controllers: the kind
// is compared, the group is not, and the object found by name must have the UID.
func ByNameAndUID(owner view.Kind) Resolve {
	return func(c Cluster, namespace string, ref *metav1.OwnerReference) (view.Target, bool) {
		if ref == nil || ref.Kind != owner.Kind {
			return view.Target{}, false
		}
		obj, ok := c.Get(owner, namespace, ref.Name)
		if !ok || obj.GetUID() != ref.UID {
			return view.Target{}, false
		}
		return TargetOf(owner, obj), true
	}
}

// Handle takes the branch for the event.
func (h Dependents) Handle(c Cluster, ev Event) []Effect {
	switch ev.Type {
	case Added:
		return h.added(c, ev)
	case Updated:
		return h.updated(c, ev)
	default:
		return h.deleted(c, ev.Old, DependentDeleted)
	}
}

func (h Dependents) added(c Cluster, ev Event) []Effect {
	if ev.New.GetDeletionTimestamp() != nil {
		return h.deleted(c, ev.New, DependentTerminating)
	}
	ref := metav1.GetControllerOfNoCopy(ev.New)
	if ref == nil {
		return h.orphan(c, ev.New, OrphanAdded)
	}
	target, ok := h.Resolve(c, ev.New.GetNamespace(), ref)
	if !ok {
		return nothing(OwnerNotHere, decision.F(KeyOwner, ref.Kind+"/"+ref.Name))
	}
	e := Effect{Ruling: decision.Ruled(DependentAdded, ownerFact(target), decision.F(keyCounts, h.Counts)), Target: target, Enqueue: true}
	h.observe(&e, Creation, ev.New)
	if h.Created != nil {
		e = h.Created(e, c)
	}
	return []Effect{e}
}

func (h Dependents) updated(c Cluster, ev Event) []Effect {
	if ev.Old.GetResourceVersion() == ev.New.GetResourceVersion() {
		return nothing(Resynced)
	}
	relabelled := !sameLabels(ev.Old.GetLabels(), ev.New.GetLabels())
	if h.Counts && ev.New.GetDeletionTimestamp() != nil { // only pods are watched for this
		effects := h.deleted(c, ev.New, DependentTerminating)
		if relabelled {
			effects = append(effects, h.deleted(c, ev.Old, DependentTerminating)...)
		}
		return effects
	}
	was, is := metav1.GetControllerOfNoCopy(ev.Old), metav1.GetControllerOfNoCopy(ev.New)
	moved := !sameReference(was, is)
	var effects []Effect
	if moved && was != nil {
		if target, ok := h.Resolve(c, ev.Old.GetNamespace(), was); ok {
			effects = append(effects, Effect{Ruling: decision.Ruled(DependentLeft, ownerFact(target)), Target: target, Enqueue: true})
		}
	}
	if is != nil {
		return append(effects, h.owned(c, ev, is, moved || relabelled)...)
	}
	if moved || relabelled {
		return append(effects, h.orphan(c, ev.New, OrphanUpdated)...)
	}
	return append(effects, nothing(OrphanUnchanged)...)
}

// sameLabels is reflect.DeepEqual, to which no map is another than an empty one.
func sameLabels(a, b map[string]string) bool { return (a == nil) == (b == nil) && maps.Equal(a, b) }

// sameReference is reflect.DeepEqual.
func sameReference(a, b *metav1.OwnerReference) bool {
	if a == nil || b == nil {
		return a == b
	}
	return view.SameReference(*a, *b)
}

func (h Dependents) owned(c Cluster, ev Event, ref *metav1.OwnerReference, moved bool) []Effect {
	target, ok := h.Resolve(c, ev.New.GetNamespace(), ref)
	if !ok {
		return nothing(OwnerNotHere, decision.F(KeyOwner, ref.Kind+"/"+ref.Name))
	}
	if h.Changed != nil {
		return h.Changed(c, ev, target, moved)
	}
	return []Effect{OwnedUpdate(target)}
}

// OwnedUpdate enqueues the owner of a dependent that changed.
func OwnedUpdate(owner view.Target) Effect {
	return Effect{Ruling: decision.Ruled(DependentUpdated, ownerFact(owner)), Target: owner, Enqueue: true}
}

func (h Dependents) deleted(c Cluster, obj metav1.Object, rule string) []Effect {
	ref := metav1.GetControllerOfNoCopy(obj)
	if ref == nil {
		return nothing(OrphanDeleted)
	}
	target, ok := h.Resolve(c, obj.GetNamespace(), ref)
	if !ok {
		return nothing(OwnerNotHere, decision.F(KeyOwner, ref.Kind+"/"+ref.Name))
	}
	e := Effect{Ruling: decision.Ruled(rule, ownerFact(target), decision.F(keyCounts, h.Counts)), Target: target, Enqueue: true}
	h.observe(&e, Deletion, obj)
	return []Effect{e}
}

func (h Dependents) observe(e *Effect, what Observation, obj metav1.Object) {
	if h.Counts {
		e.Observed, e.Of = what, obj
	}
}

// orphan enqueues everyone who may want it; no creation is expected of one.
func (h Dependents) orphan(c Cluster, obj metav1.Object, rule string) []Effect {
	var effects []Effect
	for _, owner := range h.matching(c, obj) {
		effects = append(effects, enqueue(h.Owner, owner, decision.Ruled(rule)))
	}
	if len(effects) == 0 {
		return nothing(OrphanNotMatched)
	}
	return effects
}

// nothing is a branch that leaves queue and expectations alone.
func nothing(rule string, facts ...decision.Fact) []Effect {
	return []Effect{{Ruling: decision.Ruled(rule, facts...)}}
}

func ownerFact(t view.Target) decision.Fact { return decision.F(KeyOwner, Name(t)) }
