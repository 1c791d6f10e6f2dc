package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestAlike(t *testing.T) {
	pod := func(change ...func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{UID: "1", Controller: new(true)}}}}
		p.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "init:1"}}
		p.Spec.Containers = []corev1.Container{{
			Name: "main", Image: "web:1", Command: []string{"serve"}, Args: []string{"-v"},
			Env: []corev1.EnvVar{{Name: "A", Value: "1"}}, EnvFrom: []corev1.EnvFromSource{{Prefix: "P"}}, VolumeMounts: []corev1.VolumeMount{{Name: "config"}},
		}}
		for _, c := range change {
			c(p)
		}
		return p
	}
	main := func(change func(*corev1.Container)) func(*corev1.Pod) {
		return func(p *corev1.Pod) { change(&p.Spec.Containers[0]) }
	}
	for name, test := range map[string]struct {
		other *corev1.Pod
		want  bool
	}{
		"the same":               {pod(), true},
		"another owner":          {pod(func(p *corev1.Pod) { p.OwnerReferences[0].UID = "2" }), false},
		"no controller":          {pod(func(p *corev1.Pod) { p.OwnerReferences[0].Controller = nil }), false},
		"another image":          {pod(main(func(c *corev1.Container) { c.Image = "web:2" })), false},
		"another name":           {pod(main(func(c *corev1.Container) { c.Name = "web" })), false},
		"another command":        {pod(main(func(c *corev1.Container) { c.Command = nil })), false},
		"other arguments":        {pod(main(func(c *corev1.Container) { c.Args = nil })), false},
		"another value":          {pod(main(func(c *corev1.Container) { c.Env[0].Value = "2" })), false},
		"another source":         {pod(main(func(c *corev1.Container) { c.EnvFrom[0].Prefix = "Q" })), false},
		"another init container": {pod(func(p *corev1.Pod) { p.Spec.InitContainers[0].Image = "init:2" }), false},
		"a sidecar more":         {pod(func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "proxy"}) }), true},
		"no limits":              {pod(main(func(c *corev1.Container) { c.Resources.Limits = corev1.ResourceList{} })), true},
		"more memory": {pod(main(func(c *corev1.Container) {
			c.Resources.Limits = corev1.ResourceList{"memory": resource.MustParse("1Gi")}
		})), false},
		"another probe":  {pod(main(func(c *corev1.Container) { c.LivenessProbe = &corev1.Probe{} })), false},
		"one mount more": {pod(main(func(c *corev1.Container) { c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "token"}) })), true},
		"one mount less": {pod(main(func(c *corev1.Container) { c.VolumeMounts = nil })), false},
	} {
		if got := alike(pod(), test.other); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	orphan := pod(func(p *corev1.Pod) { p.OwnerReferences = nil })
	if alike(orphan, orphan) {
		t.Error("Pods without a controller are alike")
	}
}
