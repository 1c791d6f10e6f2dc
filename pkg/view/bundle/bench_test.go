package bundle

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const benchPods = 10_000

// fleet is a View of pods with about as many fields as real ones have.
func fleet() *view.View {
	b := view.NewBuilder(captured)
	for i := range benchPods {
		p := pod(fmt.Sprintf("web-%05d", i), "web")
		at := metav1.NewTime(captured.Add(-time.Duration(i) * time.Second))
		controller := true
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "u", Controller: &controller}}
		p.Spec.NodeName = fmt.Sprintf("node-%d", i%100)
		p.Spec.Tolerations = []corev1.Toleration{
			{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
			{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
		}
		p.Spec.Volumes = []corev1.Volume{{Name: "token", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "token"}}}}
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}
		p.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "token", MountPath: "/var/run/secrets", ReadOnly: true}}
		for _, c := range []corev1.PodConditionType{corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: c, Status: corev1.ConditionTrue, LastTransitionTime: at})
		}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{
			Name: "web", Ready: true, Image: "nginx:1.29", ImageID: "sha256:0123456789abcdef", ContainerID: "containerd://0123456789abcdef",
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
		}}
		b.Add(view.Pods, p)
	}
	return b.View()
}

// written is the fleet as kubectl get pods -o json or -o yaml prints it, or as
// a bundle.
func written(b *testing.B, format Format, list bool) []byte {
	b.Helper()
	var out bytes.Buffer
	if err := Write(&out, fleet(), everything(), WriteOptions{Format: format}); err != nil {
		b.Fatal(err)
	}
	if !list {
		return out.Bytes()
	}
	var text bytes.Buffer
	text.WriteString("apiVersion: v1\nitems:\n")
	for _, d := range documents(out.Bytes())[1:] {
		item := bytes.TrimSpace(bytes.TrimPrefix(d.text, []byte("---")))
		fmt.Fprintf(&text, "- %s\n", bytes.ReplaceAll(item, []byte("\n"), []byte("\n  ")))
	}
	text.WriteString("kind: List\n")
	return text.Bytes()
}

func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct {
		name   string
		format Format
		list   bool
	}{{"list.yaml", YAML, true}, {"bundle.yaml", YAML, false}, {"bundle.json", JSON, false}} {
		b.Run(c.name, func(b *testing.B) {
			text := written(b, c.format, c.list)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := Open([]string{"-"}, bytes.NewReader(text), Options{})
				if err != nil {
					b.Fatal(err)
				}
				if got := len(s.content.objects.all); got != benchPods {
					b.Fatalf("%d pods", got)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	v := fleet()
	for _, format := range []Format{YAML, JSON} {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				var out bytes.Buffer
				if err := Write(&out, v, everything(), WriteOptions{Format: format}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
