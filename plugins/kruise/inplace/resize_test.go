package inplace

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// A resize takes a pod out of service only if a container restarts for what
// changes.
func TestResizeRestarts(t *testing.T) {
	p := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "main", ResizePolicy: []corev1.ContainerResizePolicy{
			{ResourceName: corev1.ResourceCPU, RestartPolicy: corev1.RestartContainer},
			{ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.NotRequired},
		}},
		{Name: "side"},
	}}}
	for _, tt := range []struct {
		container string
		resource  corev1.ResourceName
		want      bool
	}{
		{"main", corev1.ResourceCPU, true},
		{"main", corev1.ResourceMemory, false},
		{"side", corev1.ResourceCPU, false},
		{"gone", corev1.ResourceCPU, false},
	} {
		if got := resizeRestarts(p, map[string][]corev1.ResourceName{tt.container: {tt.resource}}); got != tt.want {
			t.Errorf("%s of %s: %t, want %t", tt.resource, tt.container, got, tt.want)
		}
	}
}
