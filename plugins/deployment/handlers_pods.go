package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// podDeleted mirrors deletePod (deployment_controller.go, v1.37.1; v1.36.3 for
// what is counted before).
func podDeleted(c handlers.Cluster, b behaviour, ev handlers.Event) []handlers.Effect {
	if ev.Type != handlers.Deleted {
		return nil
	}
	d := deploymentOf(c, ev.Old)
	if d == nil || d.Spec.Strategy.Type != appsv1.RecreateDeploymentStrategyType {
		return nil
	}
	owner := handlers.TargetOf(view.Deployments, d)
	named := decision.F(handlers.KeyOwner, handlers.Name(owner))
	if !b.lastPod {
		return []handlers.Effect{{Ruling: decision.Ruled(handlers.RecreatePodDeleted, named), Target: owner, Enqueue: true}}
	}
	left, err := podsLeft(c, b, d)
	if err != nil {
		return nil // nor does upstream say anything
	}
	if left > 0 {
		return []handlers.Effect{{Ruling: decision.Ruled(handlers.RecreatePodsLeft, named, decision.F(handlers.KeyLeft, left)), Target: owner}}
	}
	return []handlers.Effect{{Ruling: decision.Ruled(handlers.RecreatePodDeleted, named), Target: owner, Enqueue: true}}
}

// deploymentOf mirrors getDeploymentForPod.
func deploymentOf(c handlers.Cluster, pod metav1.Object) *appsv1.Deployment {
	set, ok := handlers.ByNameAndUID(view.ReplicaSets)(c, pod.GetNamespace(), metav1.GetControllerOfNoCopy(pod))
	if !ok {
		return nil
	}
	rs, _ := c.Get(view.ReplicaSets, set.Namespace, set.Name)
	owner, ok := handlers.ByNameAndUID(view.Deployments)(c, set.Namespace, metav1.GetControllerOfNoCopy(rs))
	if !ok {
		return nil
	}
	obj, _ := c.Get(view.Deployments, owner.Namespace, owner.Name)
	d, _ := obj.(*appsv1.Deployment)
	return d
}

// podsLeft counts the Pods in the cache, finished ones too, as
// getPodMapForDeployment groups them by ReplicaSet. Upstream lists the
// ReplicaSets from the API server; here they are those of the cache.
func podsLeft(c handlers.Cluster, b behaviour, d *appsv1.Deployment) (int, error) {
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err != nil {
		return 0, err
	}
	// The list is asked for in text, and that of a selector that matches nothing
	// is empty, which lists all.
	listed, err := labels.Parse(selector.String())
	if err != nil {
		return 0, err
	}
	sets := map[types.UID]string{}
	for _, rs := range c.In(view.ReplicaSets, d.Namespace) {
		if listed.Matches(labels.Set(rs.GetLabels())) && metav1.IsControlledBy(rs, d) {
			sets[rs.GetUID()] = rs.GetName()
		}
	}
	left := 0
	for _, pod := range c.In(view.Pods, d.Namespace) {
		ref := metav1.GetControllerOfNoCopy(pod)
		if ref == nil {
			continue
		}
		name, ours := sets[ref.UID]
		byName := ref.Kind == view.ReplicaSets.Kind && ref.Name == name
		if ours && (b.byName && byName || !b.byName && selector.Matches(labels.Set(pod.GetLabels()))) {
			left++
		}
	}
	return left, nil
}
