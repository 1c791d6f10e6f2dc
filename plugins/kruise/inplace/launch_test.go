package inplace

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// launching is a pod whose containers have these launch priorities, and beside
// them one without, named free.
func launching(priorities map[string]int, order ...string) *corev1.Pod {
	p := &corev1.Pod{}
	p.Name = "p"
	for _, name := range append(order, "free") {
		c := corev1.Container{Name: name}
		if n, ok := priorities[name]; ok {
			cluster.GivePriority(&c, p.Name, n)
		}
		p.Spec.Containers = append(p.Spec.Containers, c)
	}
	return p
}

func reads(keys ...string) Metadata {
	m := Metadata{Labels: map[string]string{}, Annotations: map[string]string{}}
	for _, key := range keys {
		m.Annotations[key] = "x"
	}
	return m
}

// A batch is of the highest priority, of containers without one, and of those
// that read the same changed metadata, whatever their priority.
func TestFirstBatch(t *testing.T) {
	p := launching(map[string]int{"a": 1, "b": 3, "c": 2, "d": 3}, "a", "b", "c", "d")
	images := func(names ...string) map[string]string {
		m := map[string]string{}
		for _, name := range names {
			m[name] = "web:2"
		}
		return m
	}
	for _, tt := range []struct {
		name string
		ContainerUpdate
		want []string
	}{
		{"the highest", ContainerUpdate{ContainerImages: images("a", "b", "c")}, []string{"b"}},
		{"two of the highest", ContainerUpdate{ContainerImages: images("d", "b", "c")}, []string{"b", "d"}},
		{"one without a priority", ContainerUpdate{ContainerImages: images("a", "free", "c")}, []string{"c", "free"}},
		{"one that shares metadata", ContainerUpdate{ContainerRefMetadata: map[string]Metadata{"a": reads("k"), "b": reads("k"), "c": reads("l")}}, []string{"a", "b"}},
		{"one that shares by another", ContainerUpdate{ContainerRefMetadata: map[string]Metadata{"a": reads("l"), "b": reads("k"), "c": reads("k", "l")}}, []string{"a", "b", "c"}},
		{"a label and an annotation of one name are two", ContainerUpdate{ContainerRefMetadata: map[string]Metadata{"a": {Labels: map[string]string{"k": "x"}}, "b": reads("k")}}, []string{"b"}},
		{"resources count", ContainerUpdate{ContainerImages: images("a"), ContainerResources: map[string]json.RawMessage{"c": nil}}, []string{"c"}},
		{"none of the pod's", ContainerUpdate{ContainerImages: images("x")}, nil},
	} {
		if got := tt.FirstBatch(p); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Containers with resources alone have their turn without the gate, in which
// nothing changes; before 1.8 there were no resources to wait.
func TestBatchesOfResources(t *testing.T) {
	u := ContainerUpdate{
		ContainerImages: map[string]string{"a": "web:2"}, ContainerResources: map[string]json.RawMessage{"a": nil, "b": nil, "gone": nil},
	}
	p := launching(map[string]int{"a": 1, "b": 2}, "a", "b")
	for _, tt := range []struct {
		kruise     string
		on         bool
		now, later string
	}{{"1.9", true, "b", "a"}, {"1.9", false, "b", "a"}, {"1.7", false, "a", ""}} {
		b := ReleaseOf(kruise.Program.Installed(profile.ProgramOptions{Version: tt.kruise, Gates: map[string]bool{kruise.VerticalScaling: tt.on}}, profile.Manager{}))
		now, later := b.Batches(p, u)
		if got := strings.Join(now, ","); got != tt.now || strings.Join(later, ",") != tt.later {
			t.Errorf("%s, gate %t: %q, later %q", tt.kruise, tt.on, now, later)
		}
	}
	b := ReleaseOf(kruise.Program.Installed(profile.ProgramOptions{Version: "1.9"}, profile.Manager{}))
	alone := ContainerUpdate{ContainerImages: map[string]string{"b": "web:2"}, ContainerResources: map[string]json.RawMessage{"a": nil}}
	if _, later := b.Batches(p, alone); len(later) > 0 {
		t.Errorf("resources wait without the gate: %q", later)
	}
}

// The next batch begins when all containers of the one before are ready.
func TestMayGoOn(t *testing.T) {
	p := &corev1.Pod{}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", Ready: true}, {Name: "b"}}
	for _, tt := range []struct {
		needed []string
		want   bool
	}{{nil, true}, {[]string{"a"}, true}, {[]string{"a", "b"}, false}, {[]string{"gone"}, false}} {
		st := State{PreCheckBeforeNext: &preCheck{tt.needed}}
		if st.MayGoOn(p) != tt.want {
			t.Errorf("%q: want %t", tt.needed, tt.want)
		}
	}
}
