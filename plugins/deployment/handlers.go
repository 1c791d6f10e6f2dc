package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Handle is the controller's event handler (deployment_controller.go, v1.37.1).
// Of pods it hears only when they are gone.
func Handle(view.Kind) handlers.Handle {
	sets := handlers.Dependents{Owner: view.Deployments, Resolve: handlers.ByNameAndUID(view.Deployments)}
	return func(c handlers.Cluster, _ profile.Profile, ev handlers.Event) []handlers.Effect {
		switch ev.Kind.GroupKind() {
		case view.Deployments.GroupKind():
			return handlers.Targets{}.Handle(ev)
		case view.ReplicaSets.GroupKind():
			return sets.Handle(c, ev)
		case view.Pods.GroupKind():
			return podDeleted(c, ev)
		}
		return nil
	}
}

// podDeleted mirrors deletePod and getDeploymentForPod.
func podDeleted(c handlers.Cluster, ev handlers.Event) []handlers.Effect {
	if ev.Type != handlers.Deleted {
		return nil
	}
	set, ok := handlers.ByNameAndUID(view.ReplicaSets)(c, ev.Old.GetNamespace(), metav1.GetControllerOfNoCopy(ev.Old))
	if !ok {
		return nil
	}
	rs, _ := c.Get(view.ReplicaSets, set.Namespace, set.Name)
	owner, ok := handlers.ByNameAndUID(view.Deployments)(c, set.Namespace, metav1.GetControllerOfNoCopy(rs))
	if !ok {
		return nil
	}
	obj, _ := c.Get(view.Deployments, owner.Namespace, owner.Name)
	if d, ok := obj.(*appsv1.Deployment); !ok || d.Spec.Strategy.Type != appsv1.RecreateDeploymentStrategyType {
		return nil
	}
	return []handlers.Effect{{
		Ruling: decision.Ruled(handlers.RecreatePodDeleted, decision.F("owner", handlers.Name(owner))), Target: owner, Enqueue: true,
	}}
}
