package e2e

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestStatus is about syncs that end with a status update, or with none.
func TestStatus(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "stable: nothing at all", hold: stopped, plugin: true,
			setup: func(w *world) { w.settled(2) },
			shows: []string{"StatusUnchanged", "NextOnEvent"},
		},
		{
			name: "another template replaces no pods", hold: stopped,
			setup:  func(w *world) { w.settled(2) },
			change: func(w *world) { w.patchSet(web, `{"spec":{"template":{"metadata":{"labels":{"tier":"front"}}}}}`) },
			shows:  []string{"StatusWritten"},
		},
		{
			name:   "ready for less than minReadySeconds",
			change: aging(3600, day, 100*time.Second),
			shows:  []string{"AvailabilityCheck"},
		},
		{
			name:   "minReadySeconds end soon",
			change: aging(12, day, 2*time.Second),
			shows:  []string{"AvailabilityCheck"},
			after:  checkAvailableLater,
		},
		{
			name: "terminating pods are counted apart",
			change: surplus(1, pod{name: "a", node: bare0, ready: hour}, pod{name: "leaving", node: bare0, ready: hour, terminating: true},
				pod{name: "going", node: bare1, terminating: true}),
			shows: []string{"TerminatingNotCounted"},
		},
		{
			name: "scale down with minReadySeconds",
			change: func(w *world) {
				set := w.createSet(replicaSet(web, 1, minReady(3600)))
				w.createPods(pod{name: "available", owner: set, node: bare0, ready: day}, pod{name: "ready", node: bare1, owner: set, ready: minutes})
			},
			shows: []string{"YoungerReadyFirst", "AvailabilityCheck"},
		},
	})
}

// aging makes a target with a pod for each of the ages.
func aging(minReadySeconds int32, ages ...time.Duration) func(*world) {
	return func(w *world) {
		set := w.createSet(replicaSet(web, int32(len(ages)), minReady(minReadySeconds)))
		for i, age := range ages {
			w.createPod(pod{name: string(rune('a' + i)), owner: set, node: bare0, ready: age})
		}
	}
}

// checkAvailableLater wants the second status update at the time at which the
// plan says that the target is looked at again.
func checkAvailableLater(w *world, plan *decision.Decision, _ observed) {
	w.Helper()
	due, err := time.Parse(time.RFC3339, plan.NextSync.Facts.Str("at"))
	w.check(err)
	w.waitForStatus(web, func(s appsv1.ReplicaSetStatus) bool { return s.AvailableReplicas == 2 })
	if late := time.Since(due); late < 0 || late > 3*time.Second {
		w.Errorf("the pod was counted available %v after the predicted time", late)
	}
}
