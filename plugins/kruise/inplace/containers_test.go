package inplace_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// podWith is a Pod of two containers, of which main reads a label.
func podWith(image, label string, annotations map[string]string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"tier": label}, Annotations: annotations},
		Spec: corev1.PodSpec{Containers: []corev1.Container{
			{Name: "main", Image: "web:1", Env: []corev1.EnvVar{{Name: "TIER", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.labels['tier']"}}}}},
			{Name: "log", Image: image},
		}},
	}
}

// TestChanged: what an update in place writes is a merge patch, with null for what is gone.
func TestChanged(t *testing.T) {
	was := podWith("log:1", "a", map[string]string{"gone": "1", "kept": "2"})
	for name, c := range map[string]struct {
		now  *corev1.Pod
		want string
	}{
		"nothing":       {was.DeepCopy(), ""},
		"an image":      {podWith("log:2", "a", was.Annotations), `{"spec":{"containers":[{"image":"log:2","name":"log"}]}}`},
		"a label":       {podWith("log:1", "b", was.Annotations), `{"metadata":{"labels":{"tier":"b"}}}`},
		"an annotation": {podWith("log:1", "a", map[string]string{"kept": "2", "new": "3"}), `{"metadata":{"annotations":{"gone":null,"new":"3"}}}`},
	} {
		if diff := cmp.Diff(c.want, inplace.Changed(was, c.now)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestEffects: the kubelet restarts a container of another image, kruise-daemon one that
// reads a label which changes.
func TestEffects(t *testing.T) {
	was := podWith("log:1", "a", nil)
	for name, c := range map[string]struct {
		now     *corev1.Pod
		byImage bool
		want    map[string]string
	}{
		"an image":              {podWith("log:2", "a", nil), false, map[string]string{"restarts": "log", "stay": "main"}},
		"a label that env read": {podWith("log:1", "b", nil), true, map[string]string{"stops": "main", "stay": "log"}},
	} {
		got := map[string]string{}
		for _, f := range inplace.Effects(was, c.now, c.byImage) {
			if text, _ := f.Value.(string); text != "" {
				got[f.Name] = text
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	hashed := inplace.Effects(was, podWith("log:2", "a", nil), true)
	if text, _ := hashed[0].Value.(string); text == "log" {
		t.Errorf("without hashes: %v", hashed[0])
	}
}
