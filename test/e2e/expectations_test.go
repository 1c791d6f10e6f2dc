package e2e

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// expects asks what the target's controller may be waiting for.
func (w *world) expects() *inference.Inferred {
	w.Helper()
	var report inference.Report
	w.check(json.Unmarshal([]byte(w.run(false, "expectations", "rs/"+web, "-o", "json")), &report))
	w.Logf("%s", report.Answer)
	return report.Inferred
}

func (w *world) wantVerdict(i *inference.Inferred, v inference.Verdict, rules ...string) {
	w.Helper()
	if i.Verdict != v || !slices.Contains(rules, i.Rule) {
		w.Errorf("got %s by %s, want %s by %v: %s", i.Verdict, i.Rule, v, rules, i.Message)
	}
}

// waitForVerdict asks until it is satisfied: what was written last may be seen
// a moment later.
func (w *world) waitForVerdict(v inference.Verdict) *inference.Inferred {
	w.Helper()
	var i *inference.Inferred
	w.waitFor("the verdict "+string(v), func(context.Context) (bool, error) {
		i = w.expects()
		return i.Verdict == v, nil
	})
	return i
}

// acts shows that nothing holds the controller back: it scales at once, and not
// after five minutes.
func (w *world) acts(replicas int32) {
	w.Helper()
	started := time.Now()
	w.scale(web, int(replicas))
	w.waitForReplicas(replicas)
	if took := time.Since(started); took > time.Minute {
		w.Errorf("it took %s to act though nothing was outstanding", took)
	}
}

func TestExpectationsSatisfied(t *testing.T) {
	w := newWorld(t, "expectations-satisfied")
	w.settled(3)
	w.wantVerdict(w.waitForVerdict(inference.Satisfied), inference.Satisfied, inference.SeenInStatus)
	w.acts(5)
	w.wantVerdict(w.waitForVerdict(inference.Satisfied), inference.Satisfied, inference.SeenInStatus)
	w.acts(1)
	w.wantVerdict(w.waitForVerdict(inference.Satisfied), inference.Satisfied, inference.SeenInStatus)
}

// TestExpectationsOfStoppedManager stops the controller manager while it
// creates pods: some are there, and it has seen none of them, or few.
func TestExpectationsOfStoppedManager(t *testing.T) {
	const wanted = 200
	w := newWorld(t, "expectations-stopped")
	t.Cleanup(func() { w.check(env.kcm.release(context.Background())) })
	w.check(env.kcm.release(t.Context()))
	watch, err := w.client.CoreV1().Pods(w.namespace).Watch(t.Context(), metav1.ListOptions{})
	w.check(err)
	w.createSet(replicaSet(web, wanted))
	<-watch.ResultChan()
	w.check(env.kcm.hold(t.Context(), stopped))
	watch.Stop()
	time.Sleep(time.Second) // what it sent is carried out

	i := w.expects()
	pods, err := w.client.CoreV1().Pods(w.namespace).List(t.Context(), metav1.ListOptions{})
	w.check(err)
	if len(pods.Items) == wanted {
		t.Fatal("it was stopped too late to show anything")
	}
	w.wantVerdict(i, inference.PossiblyPending, inference.WritesPossiblyPending)
	if i.Creations.Min != 0 || i.Creations.Max != len(pods.Items) || i.Expires == nil || i.Then.Rule != inference.ThenWaits {
		t.Errorf("%d pods were created, got %+v", len(pods.Items), i)
	}

	w.check(env.kcm.release(t.Context()))
	w.waitForReplicas(wanted)
	w.wantVerdict(w.waitForVerdict(inference.Satisfied), inference.Satisfied, inference.SeenInStatus)
	w.acts(wanted + 1)
}

// TestExpectationsAfterRestart: a new process remembers nothing, and says so
// by its Lease.
func TestExpectationsAfterRestart(t *testing.T) {
	w := newWorld(t, "expectations-restart")
	t.Cleanup(func() {
		ctx := context.Background()
		w.check(env.Restart(ctx, controlplane.ControllerManager))
		w.check(w.client.CoordinationV1().Leases(metav1.NamespaceSystem).Delete(ctx, string(controlplane.ControllerManager), metav1.DeleteOptions{}))
	})
	w.check(env.kcm.release(t.Context()))
	elects := func() {
		w.check(env.RestartWith(t.Context(), controlplane.ControllerManager, "--leader-elect=true"))
	}
	elects()
	w.createSet(replicaSet(web, 2))
	w.waitForReplicas(2)

	// Stopped for longer than the Lease lasts: no active leader.
	w.check(env.Pause(controlplane.ControllerManager))
	w.wantVerdict(w.waitForVerdict(inference.NoActiveLeader), inference.NoActiveLeader, inference.LeaseNotHeld)
	w.check(env.Kill(t.Context(), controlplane.ControllerManager))
	w.scale(web, 3)
	elects()
	w.waitForReplicas(3)
	w.wantVerdict(w.waitForVerdict(inference.Satisfied), inference.Satisfied, inference.SeenInStatus, inference.EmptiedByLeader)
	w.acts(4)
}

// TestExpectationsOfRefusals: what a quota refuses is not waited for.
func TestExpectationsOfRefusals(t *testing.T) {
	w := newWorld(t, "expectations-refused")
	w.check(env.kcm.release(t.Context()))
	w.limit("pods", "1")
	w.createSet(replicaSet(web, 3))
	w.waitForFailure()
	i := w.waitForVerdict(inference.Satisfied)
	w.wantVerdict(i, inference.Satisfied, inference.RetriedSince, inference.OnlyRefused)
	w.raise("pods", "10")
	w.waitForReplicas(3)
	w.wantVerdict(w.waitForVerdict(inference.Satisfied), inference.Satisfied, inference.SeenInStatus, inference.RetriedSince)
	w.acts(4)
}
