package health

import (
	"slices"
	"strings"
	"testing"
	"time"

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

// TestReportedLast: what the kubelet of a node that is not ready reported last is no cause
// any more: that is the node, from when it was lost.
func TestReportedLast(t *testing.T) {
	crash := status("11:30:00", "restartCount: 6, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 3}}")
	for _, tt := range []struct{ ready, status, label, message, since, at string }{
		{"True", crash, "CrashLoopBackOff", "Error (3), 6 restarts", "11:30:00", "11:30:00"},
		{"Unknown", crash, "on NotReady node n1", "node n1 is NotReady for 5m; reported last: CrashLoopBackOff, Error (3), 6 restarts", "11:55:00", "12:05:00"},
		{"False", crash, "CrashLoopBackOff", "Error (3), 6 restarts", "11:30:00", "11:30:00"},
		{"Unknown", status("11:40:00", "state: {waiting: {reason: InvalidImageName}}"), "on NotReady node n1", "node n1 is NotReady for 5m; reported last: invalid image name", "11:55:00", "12:05:00"},
		{"Unknown", status("11:40:00", "state: {waiting: {reason: ContainerCreating}}"), "on NotReady node n1", "node n1 is NotReady for 5m", "11:40:00", "11:50:00"},
		{"Unknown", status("11:59:30", "state: {waiting: {reason: InvalidImageName}}"), "invalid image name", "app: image shop/edge:1.9 is no valid name", "11:59:30", "11:59:30"},
	} {
		b := view.NewBuilder(now)
		b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: n1}, status: {conditions: [{type: Ready, status: "`+tt.ready+`", lastTransitionTime: "2026-07-01T11:55:00Z"}]}}`))
		all := Pods(b.View().Reader(), []*corev1.Pod{pod(t, onNode, tt.status)}, Options{Now: now})
		if len(all) != 1 {
			t.Fatalf("%d causes", len(all))
		}
		c := all[0]
		if c.Label != tt.label || strings.TrimPrefix(c.Message, "app: ") != strings.TrimPrefix(tt.message, "app: ") || c.Root != (c.Label == "on NotReady node n1") || c.Root && c.Container != "" {
			t.Errorf("node %s: %s: %s (%v)", tt.ready, c.Label, c.Message, c.Root)
		}
		if since, at := c.Since.Format(time.TimeOnly), c.BlockedAt.Format(time.TimeOnly); since != tt.since || at != tt.at {
			t.Errorf("%s: since %s, blocked at %s, want %s, %s", tt.message, since, at, tt.since, tt.at)
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

// TestPodsOfAbsentNodes: Pods on a node that does not exist, and those that are being deleted on
// one that is out of service, are deleted by the Pod garbage collector, however long they have
// waited. Files may lack the node.
func TestPodsOfAbsentNodes(t *testing.T) {
	const (
		deleted = `metadata: {name: p, namespace: shop, uid: u, creationTimestamp: '2026-07-01T11:00:00Z', deletionTimestamp: '2026-07-01T11:50:00Z', deletionGracePeriodSeconds: 30`
		unready = `status: {phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:40:00Z'}], containerStatuses: [{name: app, ready: true, state: {running: {startedAt: '2026-07-01T11:00:00Z'}}}]}`
		running = "being deleted for 10m: container app still runs on node n1 after the grace period, as far as its kubelet reported"
		absent  = "node n1 does not exist: the Pod garbage collector deletes the Pod by force within 80s"
		unsaid  = "; node n1 is not in the input: if it does not exist, the Pod garbage collector deletes the Pod by force within 80s"
		reads   = "reads"
		files   = "files"
	)
	for _, tt := range []struct {
		source, node, meta, label, message, next string
		blocked, root                            bool
	}{
		{reads, "", "", "on absent node n1", absent, "kubectl describe pod p -n shop", false, true},
		{reads, "", deleted + "}", "Terminating on absent node n1", absent, "kubectl describe pod p -n shop", false, false},
		{files, "", "", "node not ready", "all containers are ready, and the Pod is not: node n1 may not report to the API server" + unsaid, "kubectl get node n1", true, false},
		{files, "", deleted + "}", "Terminating", running + unsaid, "kubectl get node n1", true, false},
		{"", "", deleted + "}", "Terminating", running, "kubectl describe pod p -n shop", true, false},
		{reads, `spec: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]}, status: {conditions: [{type: Ready, status: Unknown}]}`, deleted + "}", "Terminating on out-of-service node n1",
			"node n1 is NotReady: with its taint node.kubernetes.io/out-of-service, the Pod garbage collector deletes the Pod by force within 20s", "kubectl describe node n1", false, false},
		{reads, `spec: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]}, status: {conditions: [{type: Ready, status: Unknown}]}`, deleted + ", finalizers: [f]}", "Terminating on out-of-service node n1",
			"being deleted for 10m: node n1 is NotReady, and does not confirm the deletion; finalizers: f", "kubectl describe node n1", true, true},
		{reads, `spec: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]}, status: {conditions: [{type: Ready, status: "True"}]}`, deleted + "}", "Terminating", running, "kubectl describe pod p -n shop", true, false},
	} {
		b := view.NewBuilder(now)
		if tt.source != "" {
			b.Reads(view.Need{Kind: view.Nodes, Detail: view.Full}, nil)
			b.FromFiles(tt.source == files)
		}
		if tt.node != "" {
			b.Add(view.Nodes, read[corev1.Node](t, "{metadata: {name: n1}, "+tt.node+"}"))
		}
		p := pod(t, onNode, unready)
		if tt.meta != "" {
			p = read[corev1.Pod](t, tt.meta+"\n"+onNode+"\n"+unready)
		}
		all := Pods(b.View().Reader(), []*corev1.Pod{p}, Options{Now: now})
		if len(all) != 1 {
			t.Fatalf("%d causes", len(all))
		}
		c := all[0]
		if c.Label != tt.label || c.Message != tt.message || c.Next != tt.next || c.Blocked != tt.blocked || c.Root != tt.root {
			t.Errorf("%+v:\n%s: %s (%s), blocked %v, root %v", tt, c.Label, c.Message, c.Next, c.Blocked, c.Root)
		}
		if remaining := Remaining(b.View().Reader(), []*corev1.Pod{p}, Options{Now: now}); tt.meta != "" && remaining[0].Message != tt.message {
			t.Errorf("remains: %s", remaining[0].Message)
		}
	}
}
