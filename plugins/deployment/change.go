package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// whatIfFields are those that changeFields knows.
var whatIfFields = []string{whatif.Replicas, whatif.Image, whatif.Paused, whatif.MaxUnavailable, whatif.MaxSurge}

// changeFields is obj with other fields, as the API server would store it after one
// change, and what that changes.
func changeFields(obj metav1.Object, f whatif.Fields) (metav1.Object, []decision.Change, error) {
	generation := obj.GetGeneration()
	var all []decision.Change
	var failed error
	steps := func(changed metav1.Object, c []decision.Change, err error) {
		if err != nil {
			failed = err
			return
		}
		obj, all = changed, append(all, c...)
	}
	step := func(changed metav1.Object, c decision.Change, err error) {
		steps(changed, []decision.Change{c}, err)
	}
	if f.Replicas != nil {
		step(Scale(obj, *f.Replicas))
	}
	if len(f.Images) > 0 {
		steps(SetImages(obj, f))
	}
	if f.Paused != nil {
		step(Pause(obj, *f.Paused))
	}
	if f.MaxUnavailable != nil {
		step(setRolling(obj, "maxUnavailable", *f.MaxUnavailable, func(r *appsv1.RollingUpdateDeployment) **intstr.IntOrString { return &r.MaxUnavailable }))
	}
	if f.MaxSurge != nil {
		step(setRolling(obj, "maxSurge", *f.MaxSurge, func(r *appsv1.RollingUpdateDeployment) **intstr.IntOrString { return &r.MaxSurge }))
	}
	if d, ok := obj.(*appsv1.Deployment); ok && failed == nil && (f.MaxUnavailable != nil || f.MaxSurge != nil) {
		failed = whatif.Refused(all, func(v *whatif.Validation) { validateRolling(v, d.Spec.Strategy.RollingUpdate) })
	}
	if failed != nil {
		return nil, nil, failed
	}
	if obj.GetGeneration() > generation { // all of it is one request; obj is a copy by now
		obj.SetGeneration(generation + 1)
	}
	return obj, all, nil
}
