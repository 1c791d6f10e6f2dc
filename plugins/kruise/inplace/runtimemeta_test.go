package inplace

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/dump"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// kubeletHash is the hash as Kubernetes' own libraries make it.
func kubeletHash(t *testing.T, v any) uint64 {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New32a()
	fmt.Fprint(h, dump.ForHash(text))
	return uint64(h.Sum32())
}

func TestDeepHash(t *testing.T) {
	for _, v := range []any{"", map[string]string{"a": "é\x00\"<"}, corev1.Container{Name: "main"}} {
		if got, want := template.Hash(template.JSON(v)), kubeletHash(t, v); got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
}

const runningUpdate = `{"lastContainerStatuses":{"main":{"imageID":"same"}}}`

// updatingPod is a pod whose image has not changed, with reported hashes.
func updatingPod(t *testing.T, change func(p *corev1.Pod, m *runtimeMeta)) *corev1.Pod {
	t.Helper()
	c := corev1.Container{Name: "main", Image: "web:2", Env: []corev1.EnvVar{{Name: "B", Value: "b"}}}
	p := &corev1.Pod{}
	p.Spec.Containers = []corev1.Container{c}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Image: "web:1", ImageID: "same", ContainerID: "1"}}
	m := runtimeMeta{Containers: []containerMeta{{Name: "main", ContainerID: "1"}}}
	m.Containers[0].Hashes.Plain = kubeletHash(t, c)
	p.Annotations = map[string]string{kruise.UpdateAnnotation: runningUpdate}
	change(p, &m)
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, given := p.Annotations[kruise.RuntimeAnnotation]; !given {
		p.Annotations[kruise.RuntimeAnnotation] = string(text)
	}
	return p
}

// An update is done when what is reported of each container is of the one that
// runs, and of its spec.
func TestReportedHashes(t *testing.T) {
	resources := corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("1")}}
	resizing := func(p *corev1.Pod, m *runtimeMeta) {
		bare := p.Spec.Containers[0]
		m.Containers[0].Hashes.Plain, m.Containers[0].Hashes.WithoutResources = 7, kubeletHash(t, bare)
		p.Spec.Containers[0].Resources = resources
		p.Status.ContainerStatuses[0].Resources = &resources
		p.Annotations[kruise.UpdateAnnotation] = `{"updateResources":true,"lastContainerStatuses":{"main":{"imageID":"same"}}}`
	}
	unreported := func(p *corev1.Pod, m *runtimeMeta) {
		resizing(p, m)
		m.Containers[0].Hashes.Plain, p.Status.ContainerStatuses[0].Resources = imageHash("main", "web:2"), nil
	}
	for _, tt := range []struct {
		name, kruise string
		gates        map[string]bool
		change       func(p *corev1.Pod, m *runtimeMeta)
		done         bool
		unknown      string
	}{
		{name: "as the spec", change: func(*corev1.Pod, *runtimeMeta) {}, done: true},
		{name: "of another spec", change: func(_ *corev1.Pod, m *runtimeMeta) { m.Containers[0].Hashes.Plain++ }},
		{name: "of another container", change: func(_ *corev1.Pod, m *runtimeMeta) { m.Containers[0].ContainerID = "0" }},
		{name: "of no container", change: func(_ *corev1.Pod, m *runtimeMeta) { m.Containers = nil }},
		{name: "without a status", change: func(p *corev1.Pod, _ *runtimeMeta) { p.Status.ContainerStatuses[0].Name = "x" }},
		{name: "the last report counts", change: func(_ *corev1.Pod, m *runtimeMeta) {
			m.Containers = append([]containerMeta{{Name: "main", ContainerID: "0"}}, m.Containers...)
		}, done: true},
		{name: "a report of one of two", change: func(p *corev1.Pod, _ *runtimeMeta) {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "side"})
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: "side"})
		}},
		{name: "garbled", change: func(p *corev1.Pod, _ *runtimeMeta) { p.Annotations[kruise.RuntimeAnnotation] = "{" }},
		{name: "garbled, with a new image", change: func(p *corev1.Pod, _ *runtimeMeta) {
			p.Annotations[kruise.RuntimeAnnotation], p.Status.ContainerStatuses[0].ImageID = "", "new"
		}},
		{name: "left out of a file", change: func(p *corev1.Pod, _ *runtimeMeta) { p.Annotations[kruise.RuntimeAnnotation] = "redacted-1" }, unknown: unsureHashes},
		{name: "of what a file leaves out", change: func(p *corev1.Pod, _ *runtimeMeta) { p.Spec.Containers[0].Env[0].Value = "redacted-1" }, unknown: unsureHashes},
		{name: "of the image that runs", change: func(p *corev1.Pod, m *runtimeMeta) {
			p.Spec.Containers[0].Env[0].Value = "redacted-1"
			m.Containers[0].Hashes.Plain = imageHash("main", "web:1")
		}},
		{name: "of the image, in 1.9", change: func(_ *corev1.Pod, m *runtimeMeta) { m.Containers[0].Hashes.Plain = imageHash("main", "web:2") }, done: true},
		{name: "of the image, in 1.8", kruise: "1.8", change: func(_ *corev1.Pod, m *runtimeMeta) { m.Containers[0].Hashes.Plain = imageHash("main", "web:2") }},
		{name: "without what the release knows", change: func(p *corev1.Pod, _ *runtimeMeta) {
			p.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: "Restart"}}
		}, done: true},
		{name: "resources apart, in 1.8", kruise: "1.8", gates: map[string]bool{kruise.VerticalScaling: true}, change: resizing, done: true},
		{name: "resources apart without the gate", kruise: "1.8", change: resizing},
		{name: "resources apart, in 1.9", gates: map[string]bool{kruise.VerticalScaling: true}, change: resizing},
		{name: "resources not reported", gates: map[string]bool{kruise.VerticalScaling: true}, change: unreported},
		{name: "resources not reported without the gate", change: unreported, done: true},
		{name: "a record without text", change: func(p *corev1.Pod, _ *runtimeMeta) { p.Annotations[kruise.UpdateAnnotation] = "" }},
		{name: "a grace period without text", change: func(p *corev1.Pod, _ *runtimeMeta) { p.Annotations[kruise.OldGrace] = "" }},
	} {
		if tt.kruise == "" {
			tt.kruise = "1.9"
		}
		s := NewRecords(ReleaseOf(kruise.Program.Installed(profile.ProgramOptions{Version: tt.kruise, Gates: tt.gates}, profile.Manager{})))
		if done, unknown := s.Completed(updatingPod(t, tt.change)); done != tt.done || unknown != tt.unknown {
			t.Errorf("%s: done %t, unknown %q", tt.name, done, unknown)
		}
	}
}
