package replicaset

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// withReplicas is obj with another number of replicas, as the API server would store
// it: a change of the spec raises the generation.
func withReplicas(obj metav1.Object, replicas int32) (metav1.Object, decision.Change, error) {
	switch o := obj.(type) {
	case *appsv1.ReplicaSet:
		scaled := o.DeepCopy()
		change := scale(view.ReplicaSets, scaled, &scaled.Spec.Replicas, replicas)
		return scaled, change, nil
	case *corev1.ReplicationController:
		scaled := o.DeepCopy()
		change := scale(view.ReplicationControllers, scaled, &scaled.Spec.Replicas, replicas)
		return scaled, change, nil
	default:
		return nil, decision.Change{}, fmt.Errorf("a %T has no replicas to change here", obj)
	}
}

func scale(k view.Kind, obj metav1.Object, field **int32, to int32) decision.Change {
	from := int32(1)
	if *field != nil {
		from = **field
	}
	*field = &to
	if from != to {
		obj.SetGeneration(obj.GetGeneration() + 1)
	}
	return decision.Rescaled(ownership.RefTo(k, obj), int64(from), int64(to))
}
