package e2e

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestAdopt(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "a bare pod that makes a surplus is deleted at once", plugin: true,
			change: withOrphans(2, []pod{{name: "a", node: bare0, ready: day}, {name: "b", node: bare1, ready: day}},
				pod{name: "orphan", node: bare2, ready: minutes}),
			shows: []string{"AdoptOrphan", "YoungerReadyFirst"},
		},
		{
			name: "a bare pod makes another one a surplus",
			change: withOrphans(1, []pod{{name: "unready", node: bare0, unready: true}},
				pod{name: "orphan", node: bare1, ready: minutes}),
			shows: []string{"AdoptOrphan", "NotReadyFirst"},
		},
		{
			name:   "a bare pod fills a gap",
			change: withOrphans(2, []pod{{name: "a", node: bare0, ready: day}}, pod{name: "orphan", node: bare1, ready: hour}),
			shows:  []string{"AdoptOrphan"},
		},
		{
			name: "finished and terminating bare pods are left alone",
			change: withOrphans(1, nil,
				pod{name: "finished", node: bare0, phase: corev1.PodSucceeded}, pod{name: "leaving", node: bare0, ready: hour, terminating: true}),
			shows: []string{"CreateMissing"},
		},
		{
			name: "a pod with an owner that is no controller",
			change: func(w *world) {
				w.createSet(replicaSet(web, 1))
				orphan := pod{name: "owned", node: bare0, ready: hour}.object()
				ref := controllerRef(w.createRollout())
				ref.Controller, ref.BlockOwnerDeletion = nil, nil
				orphan.OwnerReferences = []metav1.OwnerReference{ref}
				_, err := w.client.CoreV1().Pods(w.namespace).Create(w.Context(), orphan, metav1.CreateOptions{})
				w.check(err)
			},
			shows: []string{"AdoptOrphan"},
		},
		{
			name: "pods that an orphaning deletion left", hold: killed,
			setup: func(w *world) {
				w.createSet(replicaSet("old", 3, labelled(web)))
				w.waitForStatus("old", func(s appsv1.ReplicaSetStatus) bool { return s.Replicas == 3 })
				w.deleteSet("old", metav1.DeletePropagationOrphan)
				w.waitForNoSet("old")
			},
			change: func(w *world) { w.createSet(replicaSet(web, 3)) },
			shows:  []string{"AdoptOrphan"},
		},
		{
			name: "by a ReplicationController",
			args: []string{"rc/" + web},
			change: func(w *world) {
				w.createRC(replicationController(web, 1))
				w.createPods(pod{name: "orphan", node: bare0, ready: hour})
			},
			shows: []string{"AdoptOrphan"},
		},
	})
}

func TestRelease(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "a pod whose label was edited", hold: stopped, plugin: true,
			setup:  func(w *world) { w.settled(3) },
			change: func(w *world) { w.relabel(w.anyPod()) },
			shows:  []string{"ReleaseMismatch", "CreateMissing"},
		},
		{
			name: "one pod is released and another adopted",
			change: withOrphans(2, []pod{{name: "a", node: bare0, ready: day}, {name: "lost", labels: app("other"), node: bare0, ready: day}},
				pod{name: "orphan", node: bare1, ready: hour}),
			shows: []string{"ReleaseMismatch", "AdoptOrphan"},
		},
		{
			name:   "a finished pod whose label was edited is kept",
			change: withOrphans(1, []pod{{name: "a", node: bare0, ready: day}, {name: "lost", labels: app("other"), node: bare0, phase: corev1.PodFailed}}),
		},
		{
			name: "by a ReplicationController",
			args: []string{"rc/" + web},
			change: func(w *world) {
				rc := w.createRC(replicationController(web, 1))
				w.createPods(pod{name: "lost", owner: rc, labels: app("other"), node: bare0, ready: hour})
			},
			shows: []string{"ReleaseMismatch", "CreateMissing"},
		},
	})
}

// withOrphans makes a target with pods of its own and without an owner.
func withOrphans(replicas int32, own []pod, orphans ...pod) func(*world) {
	return func(w *world) {
		surplus(replicas, own...)(w)
		w.createPods(orphans...)
	}
}

func labelled(name string) func(*appsv1.ReplicaSet) {
	return func(set *appsv1.ReplicaSet) {
		set.Spec.Selector.MatchLabels, set.Spec.Template.Labels = app(name), app(name)
	}
}
