package view

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestStatusNumber: a field that the kind has is 0 until it is written.
func TestStatusNumber(t *testing.T) {
	free := func(status map[string]any) metav1.Object {
		return &unstructured.Unstructured{Object: map[string]any{"status": status}}
	}
	for _, tt := range []struct {
		name  string
		obj   metav1.Object
		field string
		want  int64
		known bool
	}{
		{"typed", &appsv1.Deployment{Status: appsv1.DeploymentStatus{ObservedGeneration: 3}}, "observedGeneration", 3, true},
		{"typed, not written", &appsv1.StatefulSet{}, "replicas", 0, true},
		{"32 bits", &corev1.ReplicationController{Status: corev1.ReplicationControllerStatus{Replicas: 2}}, "replicas", 2, true},
		{"typed without the field", &batchv1.Job{}, "observedGeneration", 0, false},
		{"no number", &corev1.Pod{}, "phase", 0, false},
		{"no status", &corev1.ConfigMap{}, "replicas", 0, false},
		{"untyped", free(map[string]any{"replicas": int64(4)}), "replicas", 4, true},
		{"untyped, no status yet", free(nil), "observedGeneration", 0, true},
		{"untyped without the field", free(map[string]any{"replicas": int64(4)}), "observedGeneration", 0, false},
		{"untyped, no number", free(map[string]any{"replicas": "4"}), "replicas", 0, false},
	} {
		if n, known := StatusNumber(tt.obj, tt.field); n != tt.want || known != tt.known {
			t.Errorf("%s: %d, %v; want %d, %v", tt.name, n, known, tt.want, tt.known)
		}
	}
}
