package deployment_test

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
)

// TestWhatIfs changes one thing of a Deployment each.
func TestWhatIfs(t *testing.T) {
	web := newWorld(4, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}).d
	for _, c := range []struct {
		name, path, from, to string
		generation           int64
		change               func() (metav1.Object, decision.Change, error)
	}{
		{"scale", "spec.replicas", "4", "2", 1, func() (metav1.Object, decision.Change, error) { return deployment.Scale(web, 2) }},
		{"scale to the same", "spec.replicas", "4", "4", 0, func() (metav1.Object, decision.Change, error) { return deployment.Scale(web, 4) }},
		{"image", "spec.template.spec.containers[main].image", "web:1", "web:9", 1, func() (metav1.Object, decision.Change, error) {
			obj, changes, err := deployment.SetImages(web, whatif.Fields{Images: map[string]string{"main": "web:9"}})
			return obj, changes[0], err
		}},
		{"pause", "spec.paused", "false", "true", 1, func() (metav1.Object, decision.Change, error) { return deployment.Pause(web, true) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			obj, change, err := c.change()
			if err != nil {
				t.Fatal(err)
			}
			if change.Path != c.path || change.From != c.from || change.To != c.to {
				t.Errorf("change is %+v", change)
			}
			if got := obj.GetGeneration() - web.Generation; got != c.generation {
				t.Errorf("the generation rises by %d, want %d", got, c.generation)
			}
		})
	}
	if *web.Spec.Replicas != 4 || web.Spec.Paused || web.Spec.Template.Spec.Containers[0].Image != "web:1" {
		t.Error("the Deployment itself was changed")
	}
}

// TestLimitsOfARollingUpdate changes them one by one and together, as the API server lets
// them be changed.
func TestLimitsOfARollingUpdate(t *testing.T) {
	rolling := newWorld(4, appsv1.DeploymentStrategy{}).d
	rolling.Spec.Strategy = appsv1.DeploymentStrategy{}
	recreate := newWorld(4, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}).d
	for _, c := range []struct {
		of                 *appsv1.Deployment
		unavailable, surge string
		want               string
	}{
		{rolling, "50%", "", "maxUnavailable 25% → 50%"},
		{rolling, "0", "3", "maxUnavailable 25% → 0, maxSurge 25% → 3"},
		{rolling, "", "200%", "maxSurge 25% → 200%"},
		{rolling, "25%", "", "maxUnavailable 25% → 25%"},
		{rolling, "0", "0%", "0 is not allowed while maxSurge is 0"},
		{rolling, "101%", "", "101% is more than 100%"},
		{rolling, "1.5%", "", "is neither a number nor a percentage"},
		{recreate, "1", "", "the strategy is Recreate, which has none"},
	} {
		f := whatif.Fields{}
		if c.unavailable != "" {
			f.MaxUnavailable = &c.unavailable
		}
		if c.surge != "" {
			f.MaxSurge = &c.surge
		}
		obj, changes, err := deployment.Controller().WhatIf.Change(c.of, f)
		var all []string
		for _, change := range changes {
			all = append(all, strings.TrimPrefix(change.Path, "spec.strategy.rollingUpdate.")+" "+change.From+" → "+change.To)
		}
		got := strings.Join(all, ", ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q and %q: %s, want %s", c.unavailable, c.surge, got, c.want)
		}
		if err == nil && obj.GetGeneration()-c.of.Generation != int64(min(1, strings.Count(got, "→")-strings.Count(got, "25% → 25%"))) {
			t.Errorf("%s: the generation is %d", got, obj.GetGeneration())
		}
	}
	if rolling.Spec.Strategy.RollingUpdate != nil {
		t.Error("the Deployment itself was changed")
	}
}

func TestWhatIfsThatMakeNoSense(t *testing.T) {
	web := newWorld(4, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}).d
	if _, _, err := deployment.SetImages(web, whatif.Fields{Images: map[string]string{"sidecar": "x"}}); err == nil {
		t.Error("an image of a container that does not exist was changed")
	}
	if _, _, err := deployment.Scale(&corev1.Pod{}, 1); err == nil {
		t.Error("a Pod was scaled")
	}
}
