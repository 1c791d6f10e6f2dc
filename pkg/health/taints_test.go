package health

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestTaintsSpelled: schedulers do not name the taints any more; nodes do, where they are as
// many as the scheduler has seen.
func TestTaintsSpelled(t *testing.T) {
	const behind = " no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
	node := func(name, taints string) string {
		return "{metadata: {name: " + name + "}, spec: {taints: [" + taints + "]}}"
	}
	const gpu, lost, plane, soft = "{key: gpu, value: a, effect: NoSchedule}", "{key: node.kubernetes.io/not-ready, effect: NoExecute}",
		"{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}", "{key: soft, effect: PreferNoSchedule}"
	for _, tt := range []struct {
		message        string
		nodes          []string
		label, details string
	}{
		{"0/2 nodes are available: 2 node(s) had untolerated taint(s).", []string{node("n1", gpu), node("n2", gpu)}, "Unschedulable (untolerated taint)", "; taint gpu: n1, n2"},
		{"0/2 nodes are available: 2 node(s) had untolerated taint(s).", []string{node("n1", plane), node("n2", lost)}, "Unschedulable (node NotReady)", "; taint node-role.kubernetes.io/control-plane: n1; node NotReady: n2"},
		{"0/2 nodes are available: 2 node(s) had untolerated taint(s).", []string{node("n1", soft), node("n2", gpu)}, "Unschedulable (untolerated taint)", ""},
		{"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).", []string{node("n1", ""), node("n2", gpu)}, "Unschedulable (Insufficient cpu, untolerated taint)", ""},
	} {
		b := view.NewOpenBuilder(now)
		for _, n := range tt.nodes {
			b.Add(view.Nodes, read[corev1.Node](t, n))
		}
		p := pod(t, `spec: {containers: [{name: app}]}`, "status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, lastTransitionTime: '2026-07-01T11:40:00Z'}]}")
		p.Status.Conditions[0].Message = tt.message + behind
		c := Pods(b.View().Reader(), []*corev1.Pod{p}, Options{Now: now})[0]
		want := tt.message + behind
		if tt.details != "" {
			want = want[:len(want)-1] + tt.details
		}
		next := "kubectl describe pod"
		if tt.label == "Unschedulable (node NotReady)" {
			next = "kubectl describe node n2"
		}
		if !strings.HasPrefix(c.Next, next) {
			t.Errorf("%s: next: %s", c.Label, c.Next)
		}
		if c.Label != tt.label || c.Message != want {
			t.Errorf("got  %s: %s\nwant %s: %s", c.Label, c.Message, tt.label, want)
		}
	}
}

// TestTaintsOfEach: of two Pods, each is told the taints that keep this one off.
func TestTaintsOfEach(t *testing.T) {
	b := view.NewOpenBuilder(now)
	for _, n := range []string{
		"{metadata: {name: n1}, spec: {taints: [{key: gpu, effect: NoSchedule}, {key: disk, effect: NoSchedule}]}}",
		"{metadata: {name: n2}, spec: {taints: [{key: disk, effect: NoSchedule}]}}",
	} {
		b.Add(view.Nodes, read[corev1.Node](t, n))
	}
	var pods []*corev1.Pod
	for _, p := range []struct{ name, spec string }{{"a", "{containers: [{name: app}]}"}, {"b", "{tolerations: [{key: gpu}], containers: [{name: app}]}"}} {
		pod := pod(t, "spec: "+p.spec, "status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: '0/2 nodes are available: 2 node(s) had untolerated taint(s).', lastTransitionTime: '2026-07-01T11:40:00Z'}]}")
		pod.Name = p.name
		pods = append(pods, pod)
	}
	const said = "0/2 nodes are available: 2 node(s) had untolerated taint(s); "
	want := map[string]string{"a": said + "taint disk: n1, n2; taint gpu: n1", "b": said + "taint disk: n1, n2"}
	for _, c := range Pods(b.View().Reader(), pods, Options{Now: now}) {
		if c.Message != want[c.Object.Name] {
			t.Errorf("%s: %s", c.Object.Name, c.Message)
		}
	}
}
