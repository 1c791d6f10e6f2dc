package health

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestNodesOfStartingPods: a node is asked for where few Pods start, and its state is known
// where it is held, in full.
func TestNodesOfStartingPods(t *testing.T) {
	const notReady = `{metadata: {name: n1}, status: {conditions: [{type: Ready, status: Unknown}]}}`
	for _, tt := range []struct {
		what     string
		since    string
		starting int
		held     view.Detail
		holds    bool
		asks     bool
		label    string
	}{
		{"before its kubelet is silent", "11:59:21", 1, view.Full, false, false, "not ready"},
		{"before its kubelet is silent, held", "11:59:21", 1, view.Full, true, false, "not ready"},
		{"few, not held", "11:59:20", fewPods, view.Full, false, true, "not ready"},
		{"many, not held", "11:59:20", fewPods + 1, view.Full, false, false, "not ready"},
		{"few, held", "11:59:20", 1, view.Full, true, false, "on NotReady node n1"},
		{"many, held", "11:59:20", fewPods + 1, view.Full, true, false, "on NotReady node n1"},
		{"few, its metadata held", "11:59:20", 1, view.Metadata, true, true, "not ready"},
		{"many, their metadata held", "11:59:20", fewPods + 1, view.Metadata, true, false, "not ready"},
	} {
		b := view.NewBuilder(now)
		n := read[corev1.Node](t, notReady)
		switch {
		case tt.holds && tt.held == view.Full:
			b.Add(view.Nodes, n)
		case tt.holds:
			b.Add(view.Nodes, &metav1.PartialObjectMetadata{ObjectMeta: n.ObjectMeta})
		}
		r := b.View().Reader()
		var pods []*corev1.Pod
		for range tt.starting {
			pods = append(pods, pod(t, onNode, status(tt.since, `state: {running: {startedAt: "2026-07-01T`+tt.since+`Z"}}`)))
		}
		all := Pods(r, pods, Options{Now: now})
		if len(all) != tt.starting || all[0].Label != tt.label {
			t.Errorf("%s: %+v, want %s", tt.what, all, tt.label)
		}
		if asks := slices.ContainsFunc(r.Missing(), func(n view.Need) bool { return n.Kind.Same(view.Nodes) }); asks != tt.asks {
			t.Errorf("%s: asks for nodes: %v", tt.what, asks)
		}
	}
}

// TestNodesOfReadyContainers: where all containers are ready and the Pod is not, its node is
// the cause only if that is not ready, or if nothing says that it is.
func TestNodesOfReadyContainers(t *testing.T) {
	for _, tt := range []struct{ reason, node, label, next string }{
		{"", "", "node not ready", "kubectl describe pod p -n shop"},
		{"", "Unknown", "on NotReady node n1", "kubectl describe node n1"},
		{"", "True", "not ready", "kubectl describe pod p -n shop"},
		{"NodeNotReady", "True", "not ready", "kubectl describe pod p -n shop"},
		{"ContainersNotReady", "", "not ready (ContainersNotReady)", "kubectl describe pod p -n shop"},
		{"ContainersNotReady", "True", "not ready (ContainersNotReady)", "kubectl describe pod p -n shop"},
		{"ContainersNotReady", "False", "on NotReady node n1", "kubectl describe node n1"},
	} {
		b := view.NewBuilder(now)
		if tt.node != "" {
			b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: n1}, status: {conditions: [{type: Ready, status: "`+tt.node+`"}]}}`))
		}
		p := pod(t, onNode, `status: {phase: Running, conditions: [{type: Ready, status: 'False', reason: '`+tt.reason+`'}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]}`)
		all := Pods(b.View().Reader(), []*corev1.Pod{p}, Options{Now: now})
		if len(all) != 1 || all[0].Label != tt.label || all[0].Next != tt.next {
			t.Errorf("%+v: %+v", tt, all)
		}
	}
}
