package trace

import (
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// TestStreamedLists has watches bring the lists, and the changes after them.
func TestStreamedLists(t *testing.T) {
	ns := newNamespace(t)
	createSet(t, ns, "web", 2)
	waitForPods(t, ns, "app=web", 2)
	r := startTrace(t, env.Kubeconfig(), "-n", ns, "--internals", "--stream-lists")
	scaleSet(t, ns, "web", 3)
	waitForPods(t, ns, "app=web", 3)
	r.quiet(3*time.Second, time.Minute)
	if sum := r.stop(); sum.Misses != 0 || sum.Late != 0 || sum.Acts != 1 {
		t.Errorf("got %+v", sum)
	}
	streamed := 0
	for _, e := range r.all() {
		if e.Type == entry.Note {
			t.Errorf("noted: %s", e.Message)
		}
		if e.Step != nil && e.Step.Did == entry.Listed && e.Step.Request.Streamed {
			streamed++
		}
	}
	if streamed == 0 {
		t.Error("no watch brought a list")
	}
}
