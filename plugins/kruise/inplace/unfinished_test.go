package inplace

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// updating is a Pod in the middle of an update in place, whose container was started before,
// with its record and what the kubelet reports of it.
func updating(key, text, image, id string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{key: text}}}
	p.Spec.NodeName, p.Spec.Containers = "n1", []corev1.Container{{Name: "app", Image: "web:2"}}
	running := &corev1.ContainerStateRunning{StartedAt: metav1.Date(2026, 11, 1, 11, 0, 0, 0, time.UTC)}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Image: image, ImageID: id, State: corev1.ContainerState{Running: running}}}
	return p
}

// TestUnfinished: what an update waits for is its grace period, or a report of the kubelet.
func TestUnfinished(t *testing.T) {
	const begun = `{"revision":"r","updateTimestamp":"2026-11-01T11:45:00Z","lastContainerStatuses":{"app":{"imageID":"id1"}}}`
	for _, tt := range []struct {
		name, key, text, image, id, want string
	}{
		{"not begun", "other", begun, "web:1", "id1", ""},
		{"in its grace period", "apps.kruise.io/inplace-update-grace", "{}", "web:1", "id1", "its containers change when its grace period is over"},
		{"not reported", "apps.kruise.io/inplace-update-state", begun, "web:1", "id1", "the kubelet of node n1 still reports image web:1 of container app, not web:2"},
		{"another image ID", "apps.kruise.io/inplace-update-state", begun, "web:1", "id2", ""},
		{"the new name", "apps.kruise.io/inplace-update-state", begun, "web:2", "id1", ""},
		{"not recorded", "apps.kruise.io/inplace-update-state", `{"revision":"r"}`, "web:1", "id1", ""},
		{"no record", "apps.kruise.io/inplace-update-state", "{", "web:1", "id1", ""},
		{"no report of the environment", "apps.kruise.io/inplace-update-state", `{"updateEnvFromMetadata":true}`, "web:2", "id1", "kruise-daemon of node n1 reports no new environment in annotation apps.kruise.io/runtime-containers-meta"},
		{"no report of the resources", "apps.kruise.io/inplace-update-state", `{"updateResources":true}`, "web:2", "id1", "the kubelet of node n1 does not report the new resources"},
	} {
		if got := Unfinished(updating(tt.key, tt.text, tt.image, tt.id)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	p := updating("apps.kruise.io/inplace-update-state", begun, "docker.io/library/web:2", "id1")
	p.Status.ContainerStatuses[0].State.Running.StartedAt = metav1.Date(2026, 11, 1, 11, 46, 0, 0, time.UTC)
	const same = "the kubelet of node n1 still reports image docker.io/library/web:2 of container app, not web:2: it was restarted since, with the same image ID, so that Kruise takes it for the old one until kruise-daemon reports it or the Pod is deleted"
	if got := Unfinished(p); got != same {
		t.Errorf("restarted: got %q", got)
	}
}

// TestUnfinishedResize: the kubelet says in conditions why a resize is not done.
func TestUnfinishedResize(t *testing.T) {
	const waits = "the kubelet of node n1 does not report the new resources"
	for _, tt := range []struct {
		name string
		says corev1.PodCondition
		want string
	}{
		{"pending", corev1.PodCondition{Type: "PodResizePending", Reason: "Infeasible", Message: "too much cpu"}, waits + ": PodResizePending Infeasible: too much cpu"},
		{"in progress", corev1.PodCondition{Type: "PodResizeInProgress"}, waits + ": PodResizeInProgress"},
		{"another condition", corev1.PodCondition{Type: "Ready"}, waits},
	} {
		p := updating("apps.kruise.io/inplace-update-state", `{"updateResources":true}`, "web:2", "id1")
		p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("2")}
		p.Status.ContainerStatuses[0].Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("1")}}
		p.Status.Conditions = []corev1.PodCondition{tt.says}
		if got := Unfinished(p); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
