package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// fillSelector mirrors SetDefaults_ReplicationController (pkg/apis/core/v1/defaults.go,
// v1.37.1) as far as it changes a decision.
func fillSelector(obj, _ metav1.Object) {
	if rc, ok := obj.(*corev1.ReplicationController); ok && len(rc.Spec.Selector) == 0 && rc.Spec.Template != nil {
		rc.Spec.Selector = rc.Spec.Template.Labels
	}
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
