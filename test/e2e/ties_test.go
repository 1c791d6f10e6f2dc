package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestTies is about orders that upstream itself leaves to chance. Each is run
// several times, so that the bounds are held to more than one outcome.
func TestTies(t *testing.T) {
	for round := range 3 {
		runScenarios(t, []scenario{
			{
				name:   fmt.Sprintf("half of equal pods go %d", round+1),
				change: sinceOnce(3, equal(6)...), shows: []string{"TiedForDeletion"}, after: checkBounds(0, 3, 6),
			},
			{
				name:   fmt.Sprintf("one certain and one of two equal pods %d", round+1),
				change: sinceOnce(2, pod{name: "restarted", restarts: 3}, pod{name: "b", restarts: 1}, pod{name: "c", restarts: 1}, pod{name: "d"}),
				shows:  []string{"TiedForDeletion", "RestartedFirst"}, after: checkBounds(1, 1, 2),
			},
			{
				name:   fmt.Sprintf("a cycle of three pods %d", round+1),
				change: cycle, shows: []string{"CyclicOrder"}, after: checkBounds(0, 1, 3),
			},
		})
	}
	runScenarios(t, []scenario{{
		name: "scale down over the burst of 500", hold: stopped,
		setup: func(w *world) {
			w.createSet(replicaSet(web, 520))
			w.waitForReplicas(520)
		},
		change: func(w *world) { w.scale(web, 10) },
		after:  checkEnds(10),
	}})
}

func equal(n int) []pod {
	pods := make([]pod, n)
	for i := range pods {
		pods[i].name = fmt.Sprintf("equal-%d", i)
	}
	return pods
}

// onceReady makes pods that are ready since one and the same second, on one
// node. Ages are no criterion only if they are created within one second, too.
func (w *world) onceReady(owner metav1.Object, pods ...pod) {
	w.Helper()
	for i := range pods {
		pods[i].owner, pods[i].node, pods[i].ready = owner, bare0, hour
	}
	created, now := w.createWithinSecond(pods), time.Now()
	for i := range pods {
		w.record(created[i], pods[i], now)
	}
}

// createWithinSecond waits for a second to begin, and tries again when it was
// too short.
func (w *world) createWithinSecond(pods []pod) []*corev1.Pod {
	w.Helper()
	for {
		time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
		var created []*corev1.Pod
		for _, p := range pods {
			created = append(created, w.createBare(p))
		}
		if created[0].CreationTimestamp.Equal(&created[len(created)-1].CreationTimestamp) {
			return created
		}
		for _, p := range pods {
			w.check(w.client.CoreV1().Pods(w.namespace).Delete(w.Context(), p.name, *metav1.NewDeleteOptions(0)))
		}
	}
}

// cycle makes three pods of which each goes before the next one: a before b
// because it restarted, b before c and c before a by their UIDs, because those
// are ready since different seconds, but for about as long.
func cycle(w *world) {
	set := w.createSet(replicaSet(web, 2))
	var created []*corev1.Pod
	for _, name := range []string{"x", "y", "z"} {
		created = append(created, w.createBare(pod{name: name, owner: set, node: bare0}))
	}
	slices.SortFunc(created, func(a, b *corev1.Pod) int { return strings.Compare(string(a.UID), string(b.UID)) })
	b, c, a, now := created[0], created[1], created[2], time.Now()
	w.record(a, pod{ready: hour, restarts: 5}, now)
	w.record(b, pod{ready: hour}, now)
	w.record(c, pod{ready: hour + time.Minute}, now)
}

// checkBounds wants the plan to say so much and no more.
func checkBounds(certain, k, n int) func(*world, *decision.Decision, observed) {
	return func(w *world, plan *decision.Decision, did observed) {
		w.Helper()
		s := plan.Summary
		if s.DeleteCertain != certain || s.DeletePossible != k || s.PossibleAmong != n {
			w.Errorf("the plan says %d certain and %d of %d, want %d and %d of %d", s.DeleteCertain, s.DeletePossible, s.PossibleAmong, certain, k, n)
		}
		w.Logf("%s; it did %s", plan.Answer, did.text())
	}
}
