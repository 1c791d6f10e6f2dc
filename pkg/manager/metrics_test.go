package manager

import (
	"maps"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

const served = `# HELP workqueue_adds_total [ALPHA] Total number of adds handled by workqueue
# TYPE workqueue_adds_total counter
workqueue_adds_total{name="replicaset"} 42
workqueue_adds_total{name="statefulset"} 7
workqueue_retries_total{name="replicaset"} 3
workqueue_depth{controller="cloneset-controller",name="cloneset-controller",priority="0"} 2
workqueue_depth{controller="cloneset-controller",name="cloneset-controller",priority="-100"} 1
workqueue_longest_running_processor_seconds{name="replicaset"} 0.25
workqueue_queue_duration_seconds_bucket{name="replicaset",le="1e-08"} 0
workqueue_queue_duration_seconds_sum{name="replicaset"} 8.4e-02
workqueue_queue_duration_seconds_count{name="replicaset"} 42
workqueue_work_duration_seconds_sum{name="replicaset"} 2.1 1732500000000
workqueue_work_duration_seconds_count{name="replicaset"} 42
informer_queued_items{group="",name="kube-controller-manager",resource="pods",version="v1"} 2
informer_store_resource_version{group="",name="kube-controller-manager",resource="pods",version="v1"} 314
informer_store_resource_version{group="apps",name="kube-controller-manager",resource="replicasets",version="v1"} 1.234567e+06
informer_processing_latency_seconds_bucket{group="apps",name="kube-controller-manager",resource="replicasets",version="v1",le="0.001"} 29
informer_processing_latency_seconds_sum{group="apps",name="kube-controller-manager",resource="replicasets",version="v1"} 0.06
informer_processing_latency_seconds_count{group="apps",name="kube-controller-manager",resource="replicasets",version="v1"} 30
process_cpu_seconds_total 12.5
rest_client_requests_total{code="200",host="10.0.0.1:6443",method="GET"} 99
`

func TestRead(t *testing.T) {
	counted, err := Read(strings.NewReader(served))
	if err != nil {
		t.Fatal(err)
	}
	all := counted.Queues
	want := Queue{
		Adds: 42, Retries: 3, Longest: 250 * time.Millisecond,
		Waited: Spans{42, 84 * time.Millisecond}, Worked: Spans{42, 2100 * time.Millisecond},
	}
	if got := all["replicaset"]; got != want {
		t.Errorf("replicaset: %+v, want %+v", got, want)
	}
	if got := all["replicaset"].Worked.Mean(); got != 50*time.Millisecond {
		t.Errorf("a sync takes %s", got)
	}
	if n := all["cloneset-controller"].Depth; n != 3 {
		t.Errorf("depth of two priorities: %d, want 3", n)
	}
	if len(all) != 3 {
		t.Errorf("%d queues: %v", len(all), all)
	}
	informers := map[schema.GroupResource]Informer{
		{Group: "apps", Resource: "replicasets"}: {Version: 1234567, Popped: Spans{30, 60 * time.Millisecond}},
		{Resource: "pods"}:                       {Queued: 2, Version: 314},
	}
	if !maps.Equal(counted.Informers, informers) {
		t.Errorf("informers: %+v, want %+v", counted.Informers, informers)
	}
}

func TestReadThatAreNone(t *testing.T) {
	for _, text := range []string{
		"", "<html>404</html>", "process_cpu_seconds_total 12.5\n",
		`workqueue_depth{name="a"} many` + "\n", `workqueue_depth{name="a"}` + "\n", `workqueue_depth{name="a"} NaN` + "\n", `workqueue_depth{name="a"} -1` + "\n",
		`workqueue_depth{name="` + strings.Repeat("a", 2<<20), `workqueue_depth{name="a"} ` + "\n",
	} {
		if all, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%.60q: %v", text, all)
		}
	}
}

func TestQueueSince(t *testing.T) {
	before := Queue{Adds: 10, Retries: 1, Depth: 5, Waited: Spans{8, time.Second}, Worked: Spans{8, time.Second}}
	after := Queue{Adds: 14, Retries: 1, Depth: 2, Waited: Spans{10, 3 * time.Second}, Worked: Spans{9, 4 * time.Second}}
	want := Queue{Adds: 4, Depth: 2, Waited: Spans{2, 2 * time.Second}, Worked: Spans{1, 3 * time.Second}}
	if got, restarted := after.Since(before); got != want || restarted {
		t.Errorf("%+v, restarted %v, want %+v", got, restarted, want)
	}
	for _, less := range []Queue{
		{Adds: 9, Retries: 1, Waited: before.Waited, Worked: before.Worked}, {Adds: 10, Waited: before.Waited, Worked: before.Worked},
		{Adds: 10, Retries: 1, Waited: Spans{Count: 7}, Worked: before.Worked}, {Adds: 10, Retries: 1, Waited: before.Waited},
	} {
		if got, restarted := less.Since(before); got != less || !restarted {
			t.Errorf("%+v after a restart: %+v, %v", less, got, restarted)
		}
	}
}

func TestMetricsServed(t *testing.T) {
	other := Metrics{Scheme: "http", Host: "metrics-addr", DefaultPort: "8080"}
	for _, c := range []struct {
		metrics Metrics
		flags   map[string]string
		port    string
		why     string
	}{
		{Kubernetes.Metrics, nil, "10257", ""},
		{Kubernetes.Metrics, map[string]string{"bind-address": "0.0.0.0", "secure-port": "1"}, "1", ""},
		{Kubernetes.Metrics, map[string]string{"bind-address": "127.0.0.1"}, "", "its /metrics are on 127.0.0.1 (--bind-address), which no other host reaches"},
		{Kubernetes.Metrics, map[string]string{"bind-address": "::1"}, "", "its /metrics are on ::1 (--bind-address), which no other host reaches"},
		{Kubernetes.Metrics, map[string]string{"secure-port": "0"}, "", "it serves no /metrics"},
		{other, nil, "8080", ""},
		{other, map[string]string{"metrics-addr": ":9090"}, "9090", ""},
		{other, map[string]string{"metrics-addr": "10.0.0.1:9090"}, "9090", ""},
		{other, map[string]string{"metrics-addr": "localhost:9090"}, "", "its /metrics are on localhost (--metrics-addr), which no other host reaches"},
		{other, map[string]string{"metrics-addr": "[::1]:9090"}, "", "its /metrics are on ::1 (--metrics-addr), which no other host reaches"},
		{other, map[string]string{"metrics-addr": "0"}, "", "it serves no /metrics"},
	} {
		port, err := c.metrics.Served(c.flags)
		why := ""
		if err != nil {
			why = err.Error()
		}
		if port != c.port || why != c.why {
			t.Errorf("%v: %q, %q, want %q, %q", c.flags, port, why, c.port, c.why)
		}
	}
}
