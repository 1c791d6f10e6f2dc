package e2e

import (
	"context"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/sequence"
)

// TestRounds holds whole simulations against what the controller does until it
// is done: the same acts in the same order, and the same state in the end.
func TestRounds(t *testing.T) {
	for _, s := range []struct {
		name          string
		setup, change func(*world)
		hold          hold
		rounds        int
	}{
		{
			name: "scaling up over slow-start boundaries", hold: stopped, rounds: 1,
			setup:  func(w *world) { w.settled(2) },
			change: func(w *world) { w.scale(web, 12) },
		},
		{
			name: "scaling up with minReadySeconds", hold: stopped, rounds: 1,
			change: func(w *world) { w.createSet(replicaSet(web, 4, scheduled, minReady(3))) },
		},
		{
			name: "scaling up over the burst", hold: stopped, rounds: 2,
			change: func(w *world) { w.createSet(replicaSet(web, 510, scheduled)) },
		},
		{
			name: "scaling down", hold: stopped, rounds: 1,
			setup:  func(w *world) { w.settled(6) },
			change: func(w *world) { w.scale(web, 2) },
		},
		{
			name: "adopting, then deleting what is too much", hold: killed, rounds: 1,
			change: func(w *world) {
				set := w.createSet(replicaSet(web, 2))
				w.createPods(
					pod{name: "a", owner: set, node: bare0, ready: hour, cost: "5"}, pod{name: "b", owner: set, node: bare0, ready: hour, cost: "5"},
					pod{name: "orphan", node: bare0, ready: hour})
			},
		},
	} {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t, t.Name())
			if s.setup != nil {
				w.check(env.kcm.release(t.Context()))
				s.setup(w)
			}
			w.check(env.kcm.hold(t.Context(), s.hold))
			s.change(w)
			plan, err := parsePlan(w.run(false, "plan", "-o", "json", "--until-stable", "--ready-after", "1s", "rs/"+web))
			w.check(err)
			if plan.Timeline == nil || plan.Timeline.Totals.Rounds != s.rounds || plan.Timeline.End.Outcome != decision.Stable {
				t.Fatalf("want %d rounds to a stable end, got %+v", s.rounds, plan.Timeline)
			}
			mark := w.mark()
			w.letGo(mark)
			did := w.allActs(mark, plan.Target, plan.Timeline.End.Counts)
			if err := sequence.Compare(sequence.Rounds(plan.Timeline, decision.Adopt, decision.Release, decision.Create, decision.Delete), did); err != nil {
				t.Error(err)
			}
		})
	}
}

// allActs are the acts of the target's controller on pods, until its status
// says that the end is reached, and nothing comes any more.
func (w *world) allActs(since controlplane.AuditMark, target decision.Ref, end decision.Counts) []sequence.Act {
	w.Helper()
	var did []sequence.Act
	last := time.Now()
	w.waitFor("the end that was predicted", func(ctx context.Context) (bool, error) {
		events, next, err := env.AuditEvents(since)
		since = next
		for _, e := range events {
			if a, ok := actOf(e); ok && concerns(e, target) {
				did, last = append(did, a), time.Now()
			}
		}
		set, getErr := w.client.AppsV1().ReplicaSets(w.namespace).Get(ctx, target.Name, metav1.GetOptions{})
		if err != nil || getErr != nil || !reached(set.Status, end) {
			last = time.Now()
			return false, err
		}
		return time.Since(last) > quiet, nil
	})
	return did
}

func reached(s appsv1.ReplicaSetStatus, end decision.Counts) bool {
	return int(s.Replicas) == end.Pods && int(s.ReadyReplicas) == end.Ready && int(s.AvailableReplicas) == end.Available
}

func actOf(e controlplane.AuditEvent) (sequence.Act, bool) {
	if e.ObjectRef.Resource != "pods" || !succeeded(e) {
		return sequence.Act{}, false
	}
	switch o := firstSync([]controlplane.AuditEvent{e}); {
	case o.created > 0:
		return sequence.Act{Verb: decision.Create}, true
	case len(o.deleted) > 0:
		return sequence.Act{Verb: decision.Delete, Name: e.ObjectRef.Name}, true
	case len(o.adopted) > 0:
		return sequence.Act{Verb: decision.Adopt, Name: e.ObjectRef.Name}, true
	case len(o.released) > 0:
		return sequence.Act{Verb: decision.Release, Name: e.ObjectRef.Name}, true
	}
	return sequence.Act{}, false
}
