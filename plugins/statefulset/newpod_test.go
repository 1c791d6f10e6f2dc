package statefulset

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
)

// TestFailsAlike: to delete a Pod helps where what replaces it differs in what fails.
func TestFailsAlike(t *testing.T) {
	secret := func(name string) []corev1.EnvFromSource {
		return []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}}}}
	}
	volumes := func(names ...string) (all []corev1.Volume) {
		for _, name := range names {
			all = append(all, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}}})
		}
		return all
	}
	memory := func(most string) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(most)}}
	}
	pod := func(change func(*corev1.PodSpec)) *corev1.Pod {
		p := &corev1.Pod{Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{{Name: "init", Image: "init:1"}},
			Containers:     []corev1.Container{{Name: "web", Image: "web:1", EnvFrom: secret("web")}, {Name: "proxy", Image: "proxy:1"}},
		}}
		change(&p.Spec)
		return p
	}
	missing := decision.Cause{Reason: "FailedMount", Class: string(health.ConfigMissing)}
	for _, c := range []struct {
		name  string
		now   func(*corev1.PodSpec)
		next  func(*corev1.PodSpec)
		why   decision.Cause
		alike bool
	}{
		{name: "another container is updated", next: func(s *corev1.PodSpec) { s.Containers[1].Image = "proxy:2" }, why: decision.Cause{Container: "web"}, alike: true},
		{name: "this one is", next: func(s *corev1.PodSpec) { s.Containers[0].Image = "web:2" }, why: decision.Cause{Container: "web"}},
		{name: "its image is not", next: func(s *corev1.PodSpec) { s.Containers[0].EnvFrom = nil }, why: decision.Cause{Container: "web", Class: string(health.ImageRefused)}, alike: true},
		{name: "its image is", next: func(s *corev1.PodSpec) { s.Containers[0].Image = "web:2" }, why: decision.Cause{Container: "web", Class: string(health.ImageTransient)}},
		{name: "an init container is", next: func(s *corev1.PodSpec) { s.InitContainers[0].Image = "init:2" }, why: decision.Cause{Container: "init"}},
		{name: "the Secret is needed no more", next: func(s *corev1.PodSpec) { s.Containers[0].EnvFrom = nil }, why: decision.Cause{Container: "web"}},
		{name: "it may use more memory", now: func(s *corev1.PodSpec) { s.Containers[0].Resources = memory("1Gi") }, next: func(s *corev1.PodSpec) { s.Containers[0].Resources = memory("2Gi") }, why: decision.Cause{Container: "web"}},
		{
			name: "admission mounted a token", alike: true, why: decision.Cause{Container: "web"}, next: func(*corev1.PodSpec) {},
			now: func(s *corev1.PodSpec) {
				s.Volumes = volumes("kube-api-access-x7k2p")
				s.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "kube-api-access-x7k2p", MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"}}
			},
		},
		{name: "a volume's Secret is missing", now: func(s *corev1.PodSpec) { s.Volumes = volumes("tls") }, next: func(s *corev1.PodSpec) { s.Volumes = volumes("tls") }, why: missing, alike: true},
		{name: "of which there is none any more", now: func(s *corev1.PodSpec) { s.Volumes = volumes("tls", "old") }, next: func(s *corev1.PodSpec) { s.Volumes = volumes("tls") }, why: missing},
		{name: "what no container is named for may be the node's", next: func(*corev1.PodSpec) {}, why: decision.Cause{Reason: "FailedCreatePodSandBox", Class: string(health.Failing)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := c.now
			if now == nil {
				now = func(*corev1.PodSpec) {}
			}
			if got := failsAlike(pod(now), pod(c.next), c.why); got != c.alike {
				t.Errorf("got %t, want %t", got, c.alike)
			}
		})
	}
}
