package deployment

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Scale is obj with another number of replicas, as the API server would store it.
func Scale(obj metav1.Object, replicas int32) (metav1.Object, decision.Change, error) {
	return change(obj, "spec.replicas", func(d *appsv1.Deployment) (string, string, error) {
		from := withDefaults(d.DeepCopy()).Spec.Replicas
		d.Spec.Replicas = &replicas
		return fmt.Sprint(*from), fmt.Sprint(replicas), nil
	})
}

// SetImage is obj with another image for a container, or for every container
// of the template when container is "*".
func SetImage(obj metav1.Object, container, image string) (metav1.Object, decision.Change, error) {
	path := fmt.Sprintf("spec.template.spec.containers[%s].image", container)
	return change(obj, path, func(d *appsv1.Deployment) (string, string, error) {
		from, found := "", false
		all := d.Spec.Template.Spec.Containers
		var names []string
		for i := range all {
			names = append(names, all[i].Name)
			if container == "*" || all[i].Name == container {
				from, found = all[i].Image, true
				all[i].Image = image
			}
		}
		if !found {
			return "", "", fmt.Errorf("the template has no container %q; it has %s", container, strings.Join(names, ", "))
		}
		return from, image, nil
	})
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
