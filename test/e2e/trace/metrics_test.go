package trace

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// TestManagersMetrics: what a trace says of the real manager's queue and informers is what its
// metrics counted meanwhile.
func TestManagersMetrics(t *testing.T) {
	managerPod(t)
	ns := newNamespace(t)
	createSet(t, ns, "web", 2)
	waitForPods(t, ns, "app=web", 2)
	before := metricsOf(t)
	r := startTrace(t, env.Kubeconfig(), "-n", ns, "--internals")
	scaleSet(t, ns, "web", 4)
	waitForPods(t, ns, "app=web", 4)
	r.quiet(3*time.Second, time.Minute)
	q := managersQueue(t, r)
	after := metricsOf(t)
	since, restarted := after.Queues["replicaset"].Since(before.Queues["replicaset"])
	if restarted || q.NotVisible != "" || q.Adds == 0 || q.Adds > since.Adds || q.Waited == nil || q.Waited.Count > since.Waited.Count || q.Worked == nil || q.Worked.Mean <= 0 {
		t.Errorf("the trace says %+v, the metrics %+v", q, since)
	}
	for i, of := range []schema.GroupResource{{Group: "apps", Resource: "replicasets"}, {Resource: "pods"}} {
		was, is := before.Informers[of], after.Informers[of]
		if len(q.Informers) != 2 {
			t.Fatalf("informers: %+v", q.Informers)
		}
		got, popped := q.Informers[i], is.Popped.Since(was.Popped)
		if got.Resource != of.Resource || got.Version < was.Version || got.Version > is.Version || got.Queued == nil || *got.Queued != 0 ||
			got.Popped == nil || got.Popped.Count > popped.Count || got.Popped.Mean <= 0 {
			t.Errorf("the trace says %+v, the metrics before %+v, after %+v", got, was, is)
		}
	}
}

// managersQueue is what a trace says of the manager's queue of ReplicaSets when it ends.
func managersQueue(t *testing.T, r *tracing) *entry.ManagerQueue {
	t.Helper()
	r.stop()
	for _, e := range slices.Backward(r.all()) {
		if e.Internals == nil {
			continue
		}
		for _, q := range e.Internals.Queues {
			if q.Resource == "replicasets" && q.Manager != nil {
				return q.Manager
			}
		}
	}
	t.Fatal("nothing is said of the manager's queue")
	return nil
}

// managerPod stands for the controller manager's own, which runs without one here.
func managerPod(t *testing.T) {
	t.Helper()
	pod, err := env.ManagerPod(t.Context())
	if errors.Is(err, controlplane.ErrOnlyLoopback) {
		t.Skip(err)
	}
	check(t, err)
	t.Cleanup(func() {
		check(t, env.client.CoreV1().Pods(pod.Namespace).Delete(context.WithoutCancel(t.Context()), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)}))
	})
}

func managerPort() string { return strconv.Itoa(env.ManagerPort()) }

// metricsOf is what the manager counts.
func metricsOf(t *testing.T) manager.Counted {
	t.Helper()
	host, err := os.Hostname()
	check(t, err)
	text, err := env.client.CoreV1().Pods(metav1.NamespaceSystem).ProxyGet("https", strings.ToLower(host), managerPort(), "metrics", nil).DoRaw(t.Context())
	check(t, err)
	all, err := manager.Read(bytes.NewReader(text))
	check(t, err)
	return all
}
