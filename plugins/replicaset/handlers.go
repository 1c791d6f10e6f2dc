package replicaset

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

// Handle is the event handler of the controller of one of its kinds
// (replica_set.go, v1.37.1; the replication manager has the same code).
func Handle(k view.Kind) handlers.Handle {
	return func(c handlers.Cluster, p profile.Profile, ev handlers.Event) []handlers.Effect {
		switch ev.Kind.GroupKind() {
		case k.GroupKind():
			return handlers.Targets{Forgets: true}.Handle(ev)
		case view.Pods.GroupKind():
			return pods(k, p).Handle(c, ev)
		}
		return nil
	}
}

func pods(k view.Kind, p profile.Profile) handlers.Dependents {
	return handlers.Dependents{
		Owner: k, Resolve: handlers.ByNameAndUID(k), Counts: true, Selector: selectorOf,
		Strict: !p.Kubernetes.AtLeast(24, 0),
		Changed: func(c handlers.Cluster, ev handlers.Event, owner view.Target, _ bool) []handlers.Effect {
			effects := []handlers.Effect{handlers.OwnedUpdate(owner)}
			if after := untilAvailable(c, p, ev, owner); after > 0 {
				effects = append(effects, handlers.Effect{
					Ruling: decision.Ruled(handlers.BecameReady, decision.F(handlers.KeyAfter, after.String())),
					Target: owner, Enqueue: true, After: after,
				})
			}
			return effects
		},
	}
}

// untilAvailable is how much later updatePod enqueues the owner of a pod that
// became ready, 0 for not at all. Until 1.33 it waited a second more.
func untilAvailable(c handlers.Cluster, p profile.Profile, ev handlers.Event, owner view.Target) time.Duration {
	seconds := minReadySeconds(c, owner)
	if seconds <= 0 || isReady(ev.Old) || !isReady(ev.New) {
		return 0
	}
	after := time.Duration(seconds) * time.Second
	if !p.Kubernetes.AtLeast(34, 0) {
		after += time.Second
	}
	return after
}

func minReadySeconds(c handlers.Cluster, t view.Target) int32 {
	obj, ok := c.Get(t.Kind, t.Namespace, t.Name)
	if !ok {
		return 0
	}
	if rc, ok := obj.(*corev1.ReplicationController); ok {
		return rc.Spec.MinReadySeconds
	}
	if rs, ok := obj.(*appsv1.ReplicaSet); ok {
		return rs.Spec.MinReadySeconds
	}
	return 0
}

func isReady(obj any) bool {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return false
	}
	ready, _ := view.Readiness(pod)
	return ready
}

func selectorOf(obj metav1.Object) (labels.Selector, error) {
	switch o := obj.(type) {
	case *appsv1.ReplicaSet:
		return metav1.LabelSelectorAsSelector(o.Spec.Selector)
	case *corev1.ReplicationController:
		return labels.SelectorFromSet(o.Spec.Selector), nil
	}
	return labels.Nothing(), nil
}
