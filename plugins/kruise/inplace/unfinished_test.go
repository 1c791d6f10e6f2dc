package inplace

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestUnfinished: what an update waits for is its grace period, or a report of the kubelet.
func TestUnfinished(t *testing.T) {
	const begun = `{"revision":"r","lastContainerStatuses":{"app":{"imageID":"id1"}}}`
	for _, tt := range []struct {
		name, key, text, image, id, want string
	}{
		{"not begun", "other", begun, "web:1", "id1", ""},
		{"in its grace period", "apps.kruise.io/inplace-update-grace", "{}", "web:1", "id1", "its grace period is not over"},
		{"not reported", "apps.kruise.io/inplace-update-state", begun, "web:1", "id1", "the kubelet of node n1 still reports image web:1 of container app, not web:2"},
		{"another image ID", "apps.kruise.io/inplace-update-state", begun, "web:1", "id2", ""},
		{"the new name", "apps.kruise.io/inplace-update-state", begun, "web:2", "id1", ""},
		{"not recorded", "apps.kruise.io/inplace-update-state", `{"revision":"r"}`, "web:1", "id1", ""},
		{"no record", "apps.kruise.io/inplace-update-state", "{", "web:1", "id1", ""},
	} {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{tt.key: tt.text}}}
		p.Spec.NodeName, p.Spec.Containers = "n1", []corev1.Container{{Name: "app", Image: "web:2"}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Image: tt.image, ImageID: tt.id}}
		if got := Unfinished(p); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
