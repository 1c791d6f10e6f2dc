package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podtemplate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// complete mirrors SetDefaults_ReplicationController (pkg/apis/core/v1/defaults.go, v1.37.1)
// and SetDefaults_ReplicaSet (pkg/apis/apps/v1/defaults.go, v1.37.1), as far as that changes
// a decision: of a changed set, what the one before has.
func complete(obj, old metav1.Object) {
	switch o := obj.(type) {
	case *corev1.ReplicationController:
		if len(o.Spec.Selector) == 0 && o.Spec.Template != nil {
			o.Spec.Selector = o.Spec.Template.Labels
		}
		before, changes := old.(*corev1.ReplicationController)
		if !changes || o.Spec.Template == nil || before.Spec.Template == nil {
			return
		}
		o.Spec.Replicas = one(o.Spec.Replicas, before.Spec.Replicas)
		podtemplate.Complete(o.Spec.Template, before.Spec.Template)
	case *appsv1.ReplicaSet:
		if before, changes := old.(*appsv1.ReplicaSet); changes {
			o.Spec.Replicas = one(o.Spec.Replicas, before.Spec.Replicas)
			podtemplate.Complete(&o.Spec.Template, &before.Spec.Template)
		}
	}
}

// one is the number of replicas of a set that had one and has none.
func one(replicas, before *int32) *int32 {
	if replicas == nil && before != nil {
		return new(int32(1))
	}
	return replicas
}

// validated mirrors ValidateReplicaSetSpec (pkg/apis/apps/validation/validation.go) with
// ValidateReplicaSetUpdate (pkg/registry/apps/replicaset/strategy.go), and
// ValidateReplicationControllerSpec (pkg/apis/core/validation/validation.go, v1.37.1).
func validated(obj metav1.Object) *whatif.Workload {
	switch o := obj.(type) {
	case *appsv1.ReplicaSet:
		return &whatif.Workload{
			Replicas: o.Spec.Replicas, Selector: o.Spec.Selector, Template: &o.Spec.Template, Fixed: []string{"spec.selector"},
			Spec: func(v *whatif.Validation) { v.Least("spec.minReadySeconds", o.Spec.MinReadySeconds) },
		}
	case *corev1.ReplicationController:
		return &whatif.Workload{Replicas: o.Spec.Replicas, Selector: &metav1.LabelSelector{MatchLabels: o.Spec.Selector}, Template: o.Spec.Template}
	}
	return nil
}
