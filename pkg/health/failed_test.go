package health

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestRejectedInTurn: Pods that kubelets reject block once the third in turn is rejected, and
// none that was created since has been let start.
func TestRejectedInTurn(t *testing.T) {
	rejected := func(name, created string) *corev1.Pod {
		p := pod(t, onNode, "status: {phase: Failed, reason: OutOfcpu, message: no room}")
		p.Name, p.CreationTimestamp = name, read[corev1.Pod](t, "metadata: {creationTimestamp: '2026-07-01T"+created+"Z'}").CreationTimestamp
		return p
	}
	ran := func(name, created string) *corev1.Pod {
		p := rejected(name, created)
		p.Status.Reason, p.Status.Message = "Evicted", "The node was low on resource: memory. "
		return p
	}
	waits := pod(t, onNode, status("11:59:30", "state: {waiting: {reason: ContainerCreating}}"))
	waits.CreationTimestamp.Time = now.Add(-time.Second)
	waits.Status.Phase, waits.Status.StartTime = corev1.PodPending, &waits.CreationTimestamp
	runs := pod(t, onNode, status("11:59:30", "state: {running: {startedAt: '2026-07-01T11:59:31Z'}}"))
	runs.CreationTimestamp.Time, runs.Status.Phase = now.Add(-30*time.Second), corev1.PodRunning
	for _, tt := range []struct {
		name    string
		pods    []*corev1.Pod
		blocked bool
	}{
		{"three in turn", []*corev1.Pod{rejected("c", "11:58:02"), rejected("a", "11:58:00"), rejected("b", "11:58:01"), waits}, true},
		{"two in turn", []*corev1.Pod{rejected("a", "11:58:00"), rejected("b", "11:58:01"), waits}, false},
		{"three at once", []*corev1.Pod{rejected("a", "11:58:00"), rejected("b", "11:58:00"), rejected("c", "11:58:00"), waits}, false},
		{"three, and then one runs", []*corev1.Pod{rejected("a", "11:58:00"), rejected("b", "11:58:01"), rejected("c", "11:58:02"), runs}, false},
		{"three that ran", []*corev1.Pod{ran("a", "11:58:00"), ran("b", "11:58:01"), ran("c", "11:58:02"), waits}, false},
	} {
		blocked := false
		for _, c := range Pods(view.NewOpenBuilder(now).View().Reader(), tt.pods, Options{Now: now}) {
			blocked = blocked || c.Blocked
		}
		if blocked != tt.blocked {
			t.Errorf("%s: blocked is %t, want %t", tt.name, blocked, tt.blocked)
		}
	}
}

// TestOverdue: a deadline that was exceeded blocks, unless Pods come up that began to later.
func TestOverdue(t *testing.T) {
	exceeded := now.Add(-10 * time.Minute)
	starts := func(since time.Time) decision.Cause {
		return decision.Cause{Pod: &decision.PodColumns{}, Class: string(Step), Since: since}
	}
	crashes := starts(now.Add(-time.Minute))
	crashes.Blocked = true
	for _, tt := range []struct {
		name    string
		others  []decision.Cause
		blocked bool
	}{
		{"nothing else", nil, true},
		{"one starts since", []decision.Cause{starts(now.Add(-time.Minute))}, false},
		{"one has been starting for longer", []decision.Cause{starts(now.Add(-20 * time.Minute))}, true},
		{"another crashes", []decision.Cause{starts(now.Add(-time.Minute)), crashes}, true},
	} {
		c := Options{Now: now}.Overdue(decision.Cause{Since: exceeded}, tt.others, exceeded, "then")
		if c.Blocked != tt.blocked {
			t.Errorf("%s: blocked is %t, want %t", tt.name, c.Blocked, tt.blocked)
		}
	}
}
