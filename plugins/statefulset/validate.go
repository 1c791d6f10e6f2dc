package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// fixed are the fields that can't be changed (ValidateStatefulSetUpdate in
// pkg/apis/apps/validation/validation.go, v1.37.1).
var fixed = []string{"spec.selector", "spec.volumeClaimTemplates", "spec.serviceName", "spec.podManagementPolicy"}

func validated(obj metav1.Object) *whatif.Workload {
	set, ok := obj.(*appsv1.StatefulSet)
	if !ok {
		return nil
	}
	w := &whatif.Workload{
		Replicas: set.Spec.Replicas, Selector: set.Spec.Selector, Template: &set.Spec.Template, Fixed: fixed,
		Spec: func(v *whatif.Validation) { validateSpec(v, &set.Spec) },
	}
	for i := range set.Spec.VolumeClaimTemplates {
		w.Claims = append(w.Claims, set.Spec.VolumeClaimTemplates[i].Name)
	}
	return w
}

// validateSpec mirrors ValidateStatefulSetSpec (same file), as far as no feature gate
// changes it.
func validateSpec(v *whatif.Validation, spec *appsv1.StatefulSetSpec) {
	v.Least("spec.minReadySeconds", spec.MinReadySeconds)
	if spec.Ordinals != nil {
		v.Least("spec.ordinals.start", spec.Ordinals.Start)
	}
	if policy := spec.PodManagementPolicy; policy != "" && policy != appsv1.OrderedReadyPodManagement && policy != appsv1.ParallelPodManagement {
		v.Refuse("spec.podManagementPolicy", "%q is neither OrderedReady nor Parallel", policy)
	}
	rolling := spec.UpdateStrategy.RollingUpdate
	switch kind := spec.UpdateStrategy.Type; kind {
	case appsv1.OnDeleteStatefulSetStrategyType:
		if rolling != nil { // which the API server sets itself where the type is RollingUpdate
			v.RefuseWith("spec.updateStrategy.rollingUpdate", "spec.updateStrategy.type", "not allowed with the type OnDelete (null removes it)")
		}
	case "", appsv1.RollingUpdateStatefulSetStrategyType:
		if rolling != nil {
			v.Least("spec.updateStrategy.rollingUpdate.partition", ptr.Deref(rolling.Partition, 0))
		}
	case recreateStrategy: // by release and feature gate
	default:
		v.Refuse("spec.updateStrategy.type", "%q is neither RollingUpdate nor OnDelete", kind)
	}
}
