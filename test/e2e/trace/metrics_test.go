package trace

import (
	"bytes"
	"context"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// TestManagersMetrics: what a trace says of the real manager's queue is what its metrics
// counted meanwhile.
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
	since, restarted := metricsOf(t).Since(before)
	if restarted || q.NotVisible != "" || q.Adds == 0 || q.Adds > since.Adds || q.Waited == nil || q.Waited.Count > since.Waited.Count || q.Worked == nil || q.Worked.Mean <= 0 {
		t.Errorf("the trace says %+v, the metrics %+v", q, since)
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
	host, err := os.Hostname()
	check(t, err)
	version, err := env.client.Discovery().ServerVersion()
	check(t, err)
	pods := env.client.CoreV1().Pods(metav1.NamespaceSystem)
	pod, err := pods.Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: strings.ToLower(host), Labels: map[string]string{"component": "kube-controller-manager"}},
		Spec: corev1.PodSpec{
			SchedulerName: "none", HostNetwork: true,
			Containers: []corev1.Container{{Name: "kube-controller-manager", Image: "kube-controller-manager:" + version.GitVersion, Command: []string{"kube-controller-manager", "--secure-port=" + managerPort()}}},
		},
	}, metav1.CreateOptions{})
	check(t, err)
	t.Cleanup(func() {
		check(t, pods.Delete(context.WithoutCancel(t.Context()), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)}))
	})
	pod.Status.PodIP = hostAddress(t)
	pod.Status.PodIPs = []corev1.PodIP{{IP: pod.Status.PodIP}}
	_, err = pods.UpdateStatus(t.Context(), pod, metav1.UpdateOptions{})
	check(t, err)
}

// hostAddress is one that the API server's proxy goes to: not a loopback address.
func hostAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	check(t, err)
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but the loopback one")
	return ""
}

func managerPort() string { return strconv.Itoa(env.ManagerPort()) }

// metricsOf is what the manager counts of its queue of ReplicaSets.
func metricsOf(t *testing.T) manager.Queue {
	t.Helper()
	host, err := os.Hostname()
	check(t, err)
	text, err := env.client.CoreV1().Pods(metav1.NamespaceSystem).ProxyGet("https", strings.ToLower(host), managerPort(), "metrics", nil).DoRaw(t.Context())
	check(t, err)
	all, err := manager.ReadQueues(bytes.NewReader(text))
	check(t, err)
	return all["replicaset"]
}
