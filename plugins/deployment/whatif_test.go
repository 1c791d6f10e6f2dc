package deployment_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
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
			return deployment.SetImage(web, "main", "web:9")
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

func TestWhatIfsThatMakeNoSense(t *testing.T) {
	web := newWorld(4, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}).d
	if _, _, err := deployment.SetImage(web, "sidecar", "x"); err == nil {
		t.Error("an image of a container that does not exist was changed")
	}
	if _, _, err := deployment.Scale(&corev1.Pod{}, 1); err == nil {
		t.Error("a Pod was scaled")
	}
}
