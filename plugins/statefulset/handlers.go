package statefulset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Handle is the controller's event handler (stateful_set.go, v1.37.1). It hears neither of
// volume claims nor of ControllerRevisions.
func Handle(view.Kind) handlers.Handle {
	return func(c handlers.Cluster, p profile.Profile, ev handlers.Event) []handlers.Effect {
		switch ev.Kind.GroupKind() {
		case view.StatefulSets.GroupKind():
			return handlers.Targets{}.Handle(ev)
		case view.Pods.GroupKind():
			return ofPods(p).Handle(c, ev)
		}
		return nil
	}
}

// ofPods mirrors addPod, updatePod and deletePod. A Pod that is being deleted is an update
// like any other: no deletion is expected.
func ofPods(p profile.Profile) handlers.Dependents {
	return handlers.Dependents{
		Owner: view.StatefulSets, Resolve: handlers.ByNameAndUID(view.StatefulSets), Selector: selectorOf,
		Changed: func(c handlers.Cluster, ev handlers.Event, owner view.Target, _ bool) []handlers.Effect {
			effects := []handlers.Effect{handlers.OwnedUpdate(owner)}
			if after := becomesAvailable(c, behaviourOf(p), ev, owner); after > 0 {
				effects = append(effects, handlers.Effect{
					Ruling: decision.Ruled(handlers.BecameReady, decision.F(handlers.KeyAfter, after.String())),
					Target: owner, Enqueue: true, After: after,
				})
			}
			return effects
		},
	}
}

// becomesAvailable is how much later updatePod enqueues the owner of a Pod that became
// ready, 0 for not at all. Until 1.35.0 it waited a second more.
func becomesAvailable(c handlers.Cluster, b behaviour, ev handlers.Event, owner view.Target) time.Duration {
	obj, ok := c.Get(owner.Kind, owner.Namespace, owner.Name)
	set, typed := obj.(*appsv1.StatefulSet)
	if !ok || !typed || set.Spec.MinReadySeconds <= 0 || isReady(ev.Old) || !isReady(ev.New) {
		return 0
	}
	after := time.Duration(set.Spec.MinReadySeconds) * time.Second
	if !b.precise {
		after += time.Second
	}
	return after
}

func isReady(obj any) bool {
	p, ok := obj.(*corev1.Pod)
	if !ok {
		return false
	}
	ready, _ := view.Readiness(p)
	return ready
}

func selectorOf(obj metav1.Object) (labels.Selector, error) {
	s, ok := obj.(*appsv1.StatefulSet)
	if !ok {
		return labels.Nothing(), nil
	}
	return metav1.LabelSelectorAsSelector(s.Spec.Selector)
}
