package cluster_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func podNamed(name, version string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, ResourceVersion: version}}
}

func modelOf(pods ...*corev1.Pod) (*cluster.Model, *view.View) {
	b := view.NewBuilder(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	for _, p := range pods {
		b.Add(view.Pods, p)
	}
	v := b.View()
	return cluster.New(v, admission.Features{}), v
}

// TestChanges: several changes of one object are one, in the order in which each
// began; what came and went is none.
func TestChanges(t *testing.T) {
	m, _ := modelOf(podNamed("a", "7"), podNamed("b", "x"))
	m.Put(view.Pods, podNamed("b", ""))
	m.Put(view.Pods, podNamed("a", ""))
	m.Put(view.Pods, podNamed("a", ""))
	m.Put(view.Pods, podNamed("c", ""))
	m.Put(view.Pods, podNamed("d", ""))
	m.Drop(view.Pods, podNamed("b", ""))
	m.Drop(view.Pods, podNamed("d", ""))
	var got []string
	for _, c := range m.Changes() {
		text := c.Kind.Kind
		if c.Was != nil {
			text += " " + c.Was.GetName() + "@" + c.Was.GetResourceVersion()
		}
		if text += " →"; c.Now != nil {
			text += " " + c.Now.GetName() + "@" + c.Now.GetResourceVersion()
		}
		got = append(got, text)
	}
	want := []string{"Pod b@x →", "Pod a@7 → a@9", "Pod → c@1"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	if again := m.Changes(); len(again) > 0 {
		t.Errorf("they are told once: %v", again)
	}
}

// TestWriteOfTheSame: a write that leaves its object as it is has a version of its
// own, and leaves the cluster alone that the model was made of.
func TestWriteOfTheSame(t *testing.T) {
	m, v := modelOf(podNamed("a", "7"))
	same := func(now metav1.Object) metav1.Object { return now }
	m.CommitAll([]cluster.Write{{Verb: cluster.Patch, Kind: view.Pods, Namespace: "shop", Name: "a", Stored: same}}, nil)
	if len(m.Changes()) != 1 {
		t.Error("a Pod that is written has changed")
	}
	before, _ := v.Held(view.Pods, "shop", "a")
	after, _ := m.Get(view.Pods, "shop", "a")
	if before.GetResourceVersion() != "7" || after.GetResourceVersion() != "8" {
		t.Errorf("%s before, %s after", before.GetResourceVersion(), after.GetResourceVersion())
	}
}
