package deployment

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// Scale is obj with another number of replicas, as the API server would store it.
func Scale(obj metav1.Object, replicas int32) (metav1.Object, decision.Change, error) {
	from := int32(1)
	obj, c, err := change(obj, "spec.replicas", func(d *appsv1.Deployment) (string, string, error) {
		from = ptr.Deref(d.Spec.Replicas, from)
		d.Spec.Replicas = &replicas
		return fmt.Sprint(from), fmt.Sprint(replicas), nil
	})
	c.Sizes = &decision.Sizes{From: int64(from), To: int64(replicas)}
	return obj, c, err
}

// SetImages is obj with the images of f for its containers and init containers.
func SetImages(obj metav1.Object, f whatif.Fields) (metav1.Object, []decision.Change, error) {
	d, ok := obj.(*appsv1.Deployment)
	if !ok {
		return nil, nil, fmt.Errorf("a %T is no Deployment", obj)
	}
	d = d.DeepCopy()
	changes, err := f.SetImages(ownership.RefTo(view.Deployments, d), whatif.ContainersOf(&d.Spec.Template.Spec))
	if err != nil {
		return nil, nil, err
	}
	if len(changes) > 0 {
		d.Generation++
	}
	return d, changes, nil
}

// Pause is obj paused or resumed.
func Pause(obj metav1.Object, paused bool) (metav1.Object, decision.Change, error) {
	return change(obj, "spec.paused", func(d *appsv1.Deployment) (string, string, error) {
		from := d.Spec.Paused
		d.Spec.Paused = paused
		return fmt.Sprint(from), fmt.Sprint(paused), nil
	})
}

// setRolling is obj with another limit of a rolling update, a number or a percentage.
func setRolling(obj metav1.Object, field, text string, at func(*appsv1.RollingUpdateDeployment) **intstr.IntOrString) (metav1.Object, decision.Change, error) {
	return change(obj, rollingPath+field, func(d *appsv1.Deployment) (string, string, error) {
		strategy := withDefaults(d.DeepCopy()).Spec.Strategy
		if strategy.RollingUpdate == nil || strategy.Type != appsv1.RollingUpdateDeploymentStrategyType {
			return "", "", fmt.Errorf("%s%s: the strategy is %s, which has none", rollingPath, field, strategy.Type)
		}
		d.Spec.Strategy = strategy
		limit := at(strategy.RollingUpdate)
		from := (*limit).String()
		*limit = new(intstr.Parse(text))
		return from, text, nil
	})
}

// change makes one change to a copy of obj. A change of the spec raises the
// generation.
func change(obj metav1.Object, path string, set func(*appsv1.Deployment) (from, to string, err error)) (metav1.Object, decision.Change, error) {
	d, ok := obj.(*appsv1.Deployment)
	if !ok {
		return nil, decision.Change{}, fmt.Errorf("a %T is no Deployment", obj)
	}
	d = d.DeepCopy()
	from, to, err := set(d)
	if err != nil {
		return nil, decision.Change{}, err
	}
	if from != to {
		d.Generation++
	}
	return d, decision.Change{Object: ownership.RefTo(view.Deployments, d), Path: path, From: from, To: to}, nil
}
