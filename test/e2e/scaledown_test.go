package e2e

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// surplus makes a target that wants so many of these pods.
func surplus(replicas int32, pods ...pod) func(*world) {
	return func(w *world) {
		set := w.createSet(replicaSet(web, replicas))
		for _, p := range pods {
			p.owner = set
			w.createPod(p)
		}
	}
}

// TestScaleDown has a scenario for each criterion by which pods are ranked for
// deletion, in the order of the criteria.
func TestScaleDown(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "an unscheduled pod is deleted before a scheduled one", plugin: true,
			change: surplus(2, pod{name: "ready", node: bare0, ready: hour}, pod{name: "pending", node: bare1}, pod{name: "unscheduled"}),
			shows:  []string{"UnassignedFirst"},
		},
		{
			name:   "a pending pod is deleted before a running one",
			change: surplus(2, pod{name: "unready", node: bare0, unready: true}, pod{name: "ready", node: bare0, ready: minutes}, pod{name: "pending", node: bare1}),
			shows:  []string{"PendingFirst"},
		},
		{
			name: "a pod of unknown phase is deleted between pending and running",
			change: surplus(1, pod{name: "unready", node: bare0, unready: true},
				pod{name: "lost", node: bare0, phase: corev1.PodUnknown}, pod{name: "pending", node: bare1}),
			shows: []string{"PendingFirst"},
		},
		{
			name:   "an unready pod is deleted before a ready one",
			change: surplus(2, pod{name: "old", node: bare0, ready: day}, pod{name: "young", node: bare1, ready: minutes}, pod{name: "unready", node: bare2, unready: true}),
			shows:  []string{"NotReadyFirst"},
		},
		{
			name: "the lowest deletion cost is deleted first",
			change: surplus(2, pod{name: "dear", node: bare0, ready: minutes, cost: "100"}, pod{name: "cheap", node: bare0, ready: day, cost: "-100"},
				pod{name: "plain", node: bare1, ready: hour}, pod{name: "ten", node: bare1, ready: minutes, cost: "10"}),
			shows: []string{"LowerCostFirst"},
		},
		{
			name: "of ready pods the younger are deleted first",
			change: surplus(2, pod{name: "minutes", node: bare0, ready: minutes}, pod{name: "hour", node: bare1, ready: hour},
				pod{name: "hours", node: bare0, ready: hours}, pod{name: "day", node: bare1, ready: day}),
			shows: []string{"YoungerReadyFirst"},
		},
		{
			name: "ready for about as long: the UID decides",
			change: surplus(2, pod{name: "a", node: bare0, ready: hour}, pod{name: "b", node: bare0, ready: hour + time.Minute},
				pod{name: "c", node: bare0, ready: hour + 2*time.Minute}, pod{name: "d", node: bare0, ready: hour + 3*time.Minute}),
			shows: []string{"ReadyBucketUID"},
		},
		{
			name:   "of equally ready pods those that restarted more are deleted first",
			change: sinceOnce(2, pod{name: "steady"}, pod{name: "once", restarts: 1}, pod{name: "often", restarts: 9}),
			shows:  []string{"RestartedFirst"},
		},
		{
			name:   "restarts of a sidecar count when the containers' are equal",
			change: sinceOnce(1, pod{name: "steady", restarts: 2}, pod{name: "sidecar", restarts: 2, sidecarRestarts: 5}),
			shows:  []string{"SidecarRestartedFirst"},
		},
		{
			name: "of pending pods the younger are deleted first", hold: stopped,
			setup: func(w *world) {
				w.createSet(replicaSet(web, 1))
				w.waitForReplicas(1)
				time.Sleep(5 * time.Second) // into another bucket of ages than the next one
				w.scale(web, 2)
				w.waitForReplicas(2)
			},
			change: func(w *world) { w.scale(web, 1) },
			shows:  []string{"YoungerFirst"},
		},
		{
			name:   "all pods go",
			change: surplus(0, pod{name: "a", node: bare0, ready: hour}, pod{name: "b", node: bare1}, pod{name: "c"}),
			shows:  []string{"DeleteAll"},
		},
		{
			name: "of a ReplicationController",
			args: []string{"rc/" + web},
			change: func(w *world) {
				rc := w.createRC(replicationController(web, 1))
				w.createPods(pod{name: "old", owner: rc, node: bare0, ready: day}, pod{name: "young", owner: rc, node: bare0, ready: minutes})
			},
			shows: []string{"YoungerReadyFirst"},
		},
	})
}

// sinceOnce makes the pods ready since one and the same second, on one node.
func sinceOnce(replicas int32, pods ...pod) func(*world) {
	return func(w *world) {
		w.onceReady(w.createSet(replicaSet(web, replicas)), pods...)
	}
}
