package trace

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// TestRestartedServer says that events are missing while the API server is
// away, and calls nobody late for it.
func TestRestartedServer(t *testing.T) {
	ns := newNamespace(t)
	createSet(t, ns, "web", 2)
	waitForPods(t, ns, "app=web", 2)
	r := startTrace(t, env.Kubeconfig(), "-n", ns)
	check(t, env.Kill(t.Context(), controlplane.APIServer))
	r.await(20*time.Second, "word of a broken watch", note("cannot watch"))
	check(t, env.Restart(t.Context(), controlplane.APIServer))
	r.await(time.Minute, "word of the watch", note("watching again"))
	scaleSet(t, ns, "web", 3)
	waitForPods(t, ns, "app=web", 3)
	r.quiet(3*time.Second, time.Minute)
	if sum := r.stop(); sum.Misses != 0 || sum.Late != 0 || sum.Acts != 1 {
		t.Errorf("got %+v", sum)
	}
}

// note matches one that has any of the texts.
func note(texts ...string) func(entry.Entry) bool {
	return func(e entry.Entry) bool {
		return e.Type == entry.Note && slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(e.Message, text) })
	}
}
