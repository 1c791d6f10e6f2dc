package deployment

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// unnamedDeadline is the progressDeadlineSeconds of a Deployment that names none
// (pkg/apis/apps/v1/defaults.go, v1.37.1).
const unnamedDeadline = 600

// validated names the fields that ValidateDeploymentUpdate lets nobody change
// (pkg/registry/apps/deployment/strategy.go, v1.37.1).
func validated(obj metav1.Object) *whatif.Workload {
	d, ok := obj.(*appsv1.Deployment)
	if !ok {
		return nil
	}
	return &whatif.Workload{
		Replicas: d.Spec.Replicas, Selector: d.Spec.Selector, Template: &d.Spec.Template, Fixed: []string{"spec.selector"},
		Spec: func(v *whatif.Validation) { validateSpec(v, &d.Spec) },
	}
}

// validateSpec mirrors ValidateDeploymentSpec and ValidateDeploymentStrategy
// (pkg/apis/apps/validation/validation.go, v1.37.1).
func validateSpec(v *whatif.Validation, spec *appsv1.DeploymentSpec) {
	const deadlinePath, readyPath = "spec.progressDeadlineSeconds", "spec.minReadySeconds"
	v.Least(readyPath, spec.MinReadySeconds)
	v.Least("spec.revisionHistoryLimit", ptr.Deref(spec.RevisionHistoryLimit, 0))
	deadline := ptr.Deref(spec.ProgressDeadlineSeconds, unnamedDeadline)
	v.Least(deadlinePath, deadline)
	if deadline <= spec.MinReadySeconds {
		v.RefuseWith(deadlinePath, readyPath, "%d is not more than minReadySeconds (%d)", deadline, spec.MinReadySeconds)
	}
	rolling := spec.Strategy.RollingUpdate
	switch kind := spec.Strategy.Type; kind {
	case appsv1.RecreateDeploymentStrategyType:
		if rolling != nil { // kubectl apply takes that of a stored one away
			v.RefuseWith("spec.strategy.rollingUpdate", "spec.strategy.type", "not allowed with the type Recreate")
		}
	case "", appsv1.RollingUpdateDeploymentStrategyType:
		if rolling != nil {
			validateRolling(v, rolling)
		}
	default:
		v.Refuse("spec.strategy.type", "%q is neither Recreate nor RollingUpdate", kind)
	}
}

// validateRolling mirrors ValidateRollingUpdateDeployment (same file).
func validateRolling(v *whatif.Validation, r *appsv1.RollingUpdateDeployment) {
	const unavailable, surge = "spec.strategy.rollingUpdate.maxUnavailable", "spec.strategy.rollingUpdate.maxSurge"
	u, s := validateShare(v, unavailable, r.MaxUnavailable), validateShare(v, surge, r.MaxSurge)
	if u == 0 && s == 0 {
		v.RefuseWith(unavailable, surge, "0 is not allowed while maxSurge is 0")
	}
	if r.MaxUnavailable != nil && r.MaxUnavailable.Type == intstr.String && u > 100 {
		v.Refuse(unavailable, "%s is more than 100%%", r.MaxUnavailable.StrVal)
	}
}

// validateShare returns the number of a field that holds a number or a percentage, which
// it defaults to.
func validateShare(v *whatif.Validation, path string, value *intstr.IntOrString) int {
	if value == nil {
		return 25
	}
	if value.Type == intstr.Int {
		v.Least(path, value.IntVal)
		return int(value.IntVal)
	}
	if problems := validation.IsValidPercent(value.StrVal); len(problems) > 0 {
		v.Refuse(path, "%q is neither a number nor a percentage", value.StrVal)
		return 1
	}
	n := 0
	_, _ = fmt.Sscanf(value.StrVal, "%d%%", &n)
	return n
}
