package memory

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestVersionsOfClones: a pod that was written is awaited until a newer version of
// it is there, or it is gone.
func TestVersionsOfClones(t *testing.T) {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	target := view.Target{Kind: view.CloneSets, Namespace: "shop", Name: "web"}
	pods := map[string]*corev1.Pod{"a": versioned("a", "7"), "b": versioned("b", "8")}
	m := New(clocktesting.NewFakeClock(start))
	m.Expect(target, &decision.Decision{Expectations: decision.Expectations{After: &decision.Expectation{Versions: []string{"a", "b", "gone"}}}},
		func(_ view.Kind, _, name string) (metav1.Object, bool) { p, there := pods[name]; return p, there })
	if got := m.awaited(reading(start, pods), target); len(got) != 2 || !got["a"].Equal(start) {
		t.Errorf("a and b were written and not seen since, got %v", got)
	}
	pods["a"] = versioned("a", "12")
	if got := m.awaited(reading(start, pods), target); len(got) != 1 || !got["b"].Equal(start) {
		t.Errorf("a was seen, got %v", got)
	}
	m.Observe(handlers.Deletion, target, pods["b"])
	if got := m.awaited(reading(start, pods), target); len(got) != 0 {
		t.Errorf("b is gone, got %v", got)
	}
}

func versioned(name, version string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid-" + name), ResourceVersion: version}}
}

func reading(now time.Time, pods map[string]*corev1.Pod) *view.Reader {
	b := view.NewBuilder(now)
	b.Reads(view.Need{Kind: view.Pods, Namespace: "shop"}, nil)
	for _, p := range pods {
		b.Add(view.Pods, p)
	}
	return b.View().Reader()
}
