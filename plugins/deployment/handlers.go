package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Handle is the controller's event handler (deployment_controller.go, v1.37.1).
// Of pods it hears only when they are gone.
func Handle(view.Kind) handlers.Handle {
	return func(c handlers.Cluster, p profile.Profile, ev handlers.Event) []handlers.Effect {
		b := behaviourOf(p)
		switch ev.Kind.GroupKind() {
		case view.Deployments.GroupKind():
			return handlers.Targets{}.Handle(ev)
		case view.ReplicaSets.GroupKind():
			return replicaSets(b).Handle(c, ev)
		case view.Pods.GroupKind():
			return podDeleted(c, b, ev)
		}
		return nil
	}
}

// replicaSets handles their events; which Deployments match an orphan is
// GetDeploymentsForReplicaSet of util/deployment_util.go.
func replicaSets(b behaviour) handlers.Dependents {
	return handlers.Dependents{
		Owner: view.Deployments, Resolve: handlers.ByNameAndUID(view.Deployments), Strict: b.strictSelectors, Selector: selectorOf,
	}
}

func selectorOf(obj metav1.Object) (labels.Selector, error) {
	d, ok := obj.(*appsv1.Deployment)
	if !ok {
		return labels.Nothing(), nil
	}
	return metav1.LabelSelectorAsSelector(d.Spec.Selector)
}
