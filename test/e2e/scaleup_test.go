package e2e

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func TestScaleUp(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "within one slow-start batch", hold: stopped, plugin: true,
			setup:  func(w *world) { w.settled(1) },
			change: func(w *world) { w.scale(web, 2) },
			shows:  []string{"CreateMissing"},
		},
		{
			name: "over slow-start boundaries (1+2+4+3)", hold: stopped,
			setup:  func(w *world) { w.settled(2) },
			change: func(w *world) { w.scale(web, 12) },
			shows:  []string{"CreateMissing"},
		},
		{
			name:   "over the burst of 500",
			change: func(w *world) { w.createSet(replicaSet(web, 520)) },
			shows:  []string{"CreateBurst"},
			after:  checkEnds(520),
		},
		{
			name: "of a ReplicationController",
			args: []string{"rc/" + web},
			change: func(w *world) {
				rc := w.createRC(replicationController(web, 4))
				w.createPods(pod{name: "a", owner: rc, node: bare0, ready: hour})
			},
			shows: []string{"CreateMissing"},
		},
		{
			name:   "a failed pod is replaced",
			change: replaceOne(pod{name: "failed", node: bare0, phase: corev1.PodFailed}),
			shows:  []string{"FinishedNotCounted", "CreateMissing"},
		},
		{
			name:   "a terminating pod is replaced before it is gone",
			change: replaceOne(pod{name: "leaving", node: bare0, ready: hour, terminating: true}),
			shows:  []string{"TerminatingNotCounted", "CreateMissing"},
		},
	})
}

// replaceOne is a set of two that has one good pod and another one.
func replaceOne(other pod) func(*world) {
	return func(w *world) {
		set := w.createSet(replicaSet(web, 2))
		other.owner = set
		w.createPods(pod{name: "good", owner: set, node: bare0, ready: hour}, other)
	}
}

// checkEnds wants later syncs to do the rest.
func checkEnds(replicas int32) func(*world, *decision.Decision, observed) {
	return func(w *world, _ *decision.Decision, _ observed) {
		w.Helper()
		w.waitForReplicas(replicas)
		if pods := len(w.pods()); pods != int(replicas) {
			w.Errorf("there are %d pods, want %d", pods, replicas)
		}
	}
}
