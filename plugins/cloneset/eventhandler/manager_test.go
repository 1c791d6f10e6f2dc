package eventhandler

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// shown is a cluster that shows one Deployment.
type shown struct {
	handlers.Cluster
	deployment metav1.Object
}

func (s shown) Get(view.Kind, string, string) (metav1.Object, bool) {
	return s.deployment, s.deployment != nil
}

// TestManagerIsReadAgain: when its Deployment or the flags are others, and only then.
func TestManagerIsReadAgain(t *testing.T) {
	m := &managers{}
	of := func(image string) shown {
		d := &appsv1.Deployment{}
		d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "manager", Image: image}}
		return shown{deployment: d}
	}
	on := func(version string, optimizes bool) profile.Profile {
		return profile.Profile{Programs: map[string]profile.ProgramOptions{kruise.Program.Name: {
			Version: version, Gates: map[string]bool{kruise.EventHandlerOptimization: optimizes},
		}}}
	}
	old, now := of("kruise:v1.7.0"), of("kruise:v1.9.0")
	first := m.of(old, profile.Profile{})
	if again := m.of(old, profile.Profile{}); again != first {
		t.Error("the same Deployment is read twice")
	}
	if first.behaviour.HearsEnds || !m.of(now, profile.Profile{}).behaviour.HearsEnds {
		t.Error("another Deployment is not read")
	}
	if m.of(now, on("", true)).optimizes == m.of(now, on("", false)).optimizes {
		t.Error("another gate is not looked at")
	}
	m.of(now, on("", true))
	if m.of(now, on("1.8", true)).behaviour.HearsEnds {
		t.Error("another version is not looked at")
	}
}
