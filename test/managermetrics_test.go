package test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

const managers = `
{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: kube-controller-manager, namespace: kube-system, uid: l1, resourceVersion: "1"}, spec: {holderIdentity: cp-2_1234, leaseDurationSeconds: 15}}
---
{apiVersion: v1, kind: Pod, metadata: {name: kube-controller-manager-cp-1, namespace: kube-system, uid: m1, resourceVersion: "1", labels: {component: kube-controller-manager}}, spec: {nodeName: cp-1, containers: [{name: kube-controller-manager, image: "kube-controller-manager:v1.37.1", command: [kube-controller-manager]}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: kube-controller-manager-cp-2, namespace: kube-system, uid: m2, resourceVersion: "1", labels: {component: kube-controller-manager}}, spec: {nodeName: cp-2, containers: [{name: kube-controller-manager, image: "kube-controller-manager:v1.37.1", command: [kube-controller-manager, FLAGS]}]}}
`

// TestTraceReadsMetricsOfLeader: a trace with internals asks the Pod that leads for its
// metrics, and no Pod whose flags say that nobody reaches them.
func TestTraceReadsMetricsOfLeader(t *testing.T) {
	const path = "/api/v1/namespaces/kube-system/pods/https:kube-controller-manager-cp-2:%s/proxy/metrics"
	for name, test := range map[string]struct {
		flag, path, want string
		status           int
	}{
		"served":    {"--leader-elect", fmt.Sprintf(path, "10257"), "", http.StatusOK},
		"elsewhere": {"--secure-port=10999", fmt.Sprintf(path, "10999"), "", http.StatusOK},
		"loopback":  {"--bind-address=127.0.0.1", "", "its /metrics are on 127.0.0.1 (--bind-address), which no other host reaches", 0},
		"forbidden": {"--leader-elect", fmt.Sprintf(path, "10257"), "/metrics of Pod kube-system/kube-controller-manager-cp-2: ", http.StatusForbidden},
		"refused":   {"--leader-elect", fmt.Sprintf(path, "10257"), "/metrics of Pod kube-system/kube-controller-manager-cp-2: ", http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			metrics := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !strings.Contains(r.URL.Path, "/proxy/") {
						next.ServeHTTP(w, r)
						return
					}
					if r.URL.Path != test.path || r.Method != http.MethodGet {
						t.Errorf("%s %s, want %q", r.Method, r.URL.Path, test.path)
					}
					if test.status != http.StatusOK {
						http.Error(w, "dial tcp 10.0.0.2:10257: connect: connection refused", test.status)
						return
					}
					fmt.Fprintf(w, "workqueue_adds_total{name=\"replicaset\"} %d\nworkqueue_depth{name=\"replicaset\"} 5\n", 7*asked.Add(1))
				})
			}
			q := tracedQueue(t, strings.Replace(managers, "FLAGS", test.flag, 1), metrics)
			switch {
			case q == nil:
				t.Fatal("nothing is said of the manager's queue")
			case !strings.Contains(q.NotVisible, test.want) || (test.want == "") != (q.NotVisible == ""):
				t.Errorf("not visible: %q, want %q", q.NotVisible, test.want)
			case test.want == "" && (q.Adds != 7 || q.Depth != 5 || asked.Load() != 2):
				t.Errorf("%+v, asked %d times", q, asked.Load())
			}
		})
	}
}

// tracedQueue is what a trace of rs/web says of the manager's queue.
func tracedQueue(t *testing.T, managers string, before func(http.Handler) http.Handler) *entry.ManagerQueue {
	t.Helper()
	last := internalsOfWeb(t, managers, before)
	if len(last.Queues) != 1 {
		t.Fatalf("queues: %+v", last.Queues)
	}
	return last.Queues[0].Manager
}
