package cloneset

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// KeptInParts are names to keep that parts of a decision read of which no sketch
// can tell: sidecars, and Pods of later rounds.
var KeptInParts = []string{pubcontrol.SidecarStateAnnotation, pubcontrol.SidecarEnv, inplace.LaunchEnv}

// Each part finds something else without the value, and the same with it.
func TestKeptInParts(t *testing.T) {
	sidecar := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "shop", Annotations: map[string]string{
		"kruise.io/sidecarset-injected-list": "logs",
		pubcontrol.SidecarStateAnnotation:    `{"logs":{"lastContainerStatuses":{"log":{"imageID":"old"}}}}`,
	}}}
	sidecar.Spec.Containers = []corev1.Container{{Name: "log", Image: "log:2", Env: []corev1.EnvVar{{Name: pubcontrol.SidecarEnv, Value: "true"}}}}
	sidecar.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "log", ImageID: "new"}}
	stale := sidecar.DeepCopy()
	stale.Status.ContainerStatuses[0].ImageID = "old"
	ordered := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "shop"}}
	ordered.Spec.Containers = []corev1.Container{{Name: "main"}, {Name: "log", Env: []corev1.EnvVar{{Name: inplace.LaunchEnv, Value: "1"}}}}
	updated := func(p *corev1.Pod) string { return fmt.Sprint(pubcontrol.SidecarsUpdated(p)) }
	for _, c := range []struct {
		name string
		pod  *corev1.Pod
		part func(*corev1.Pod) string
	}{
		{pubcontrol.SidecarStateAnnotation, sidecar, updated},
		{pubcontrol.SidecarEnv, stale, updated},
		{inplace.LaunchEnv, ordered, func(p *corev1.Pod) string {
			inplace.GiveLaunchPriorities(p)
			return fmt.Sprint(len(p.Spec.Containers[0].Env), len(p.Spec.Containers[1].Env))
		}},
	} {
		want := c.part(c.pod.DeepCopy())
		if got := c.part(sharedPod(t, c.pod, Keep)); got != want {
			t.Errorf("%s: kept, it is %s, want %s", c.name, got, want)
		}
		other := func(n string) bool { return n == c.name }
		without := redact.Keep{Annotations: slices.DeleteFunc(slices.Clone(Keep.Annotations), other), Env: slices.DeleteFunc(slices.Clone(Keep.Env), other)}
		if got := c.part(sharedPod(t, c.pod, without)); got == want {
			t.Errorf("%s: redacted, it is %s as well", c.name, got)
		}
	}
}

// sharedPod is a Pod as snapshots have it.
func sharedPod(t *testing.T, p *corev1.Pod, keep redact.Keep) *corev1.Pod {
	t.Helper()
	typed := p.DeepCopy()
	typed.SetGroupVersionKind(view.Pods.GroupVersionKind)
	shared, err := bundle.Sharing(keep)(typed)
	if err != nil {
		t.Fatal(err)
	}
	members, err := runtime.DefaultUnstructuredConverter.ToUnstructured(shared)
	if err != nil {
		t.Fatal(err)
	}
	out := &corev1.Pod{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(members, out); err != nil {
		t.Fatal(err)
	}
	return out
}
