package simulate

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestAdmitted: what refused creations so far is said once, and of Pods that are created.
func TestAdmitted(t *testing.T) {
	quota := "quota pods is used up"
	for name, c := range map[string]struct {
		create int
		why    string
		want   string
	}{
		"the end says something else": {1, "waits for web-1", " if new Pods are admitted; so far: " + quota},
		"the end says it":             {1, "creates nothing: " + quota, " if new Pods are admitted"},
		"no Pod is created":           {0, "creates nothing: " + quota, ""},
	} {
		tl := &decision.Timeline{Notes: []decision.Ruling{decision.Ruled(CreationsAccepted, decision.F(decision.KeyRefused, quota))}}
		tl.Totals.Create = c.create
		tl.End.Why = []decision.Ruling{{Message: c.why}}
		if got := admitted(tl); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestConditionBeforeCause: what a stable end depends on stands with the end, and not with the
// partition that is why it ends.
func TestConditionBeforeCause(t *testing.T) {
	tl := &decision.Timeline{Rounds: []decision.Round{{}}, Notes: []decision.Ruling{decision.Ruled(NamesMadeUp, decision.F(keyNodes, "no Pod shows it"))}}
	tl.Totals.Create, tl.Totals.Rounds = 1, 1
	tl.End.Outcome, tl.End.Ruling = decision.Stable, decision.Ruling{Rule: EndHeld, Message: "stable: 2 of 2 Pods available"}
	target := decision.Ref{Kind: "Workload", Name: "web"}
	if got, want := answerOf(target, tl, 0), "workload/web would create 1 Pod in 1 round, then be stable: 2 of 2 Pods available if each new Pod gets a node."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	tl.End.Why = []decision.Ruling{{Message: "partition 4"}}
	if got, want := answerOf(target, tl, 0), "workload/web would create 1 Pod in 1 round, then be stable if each new Pod gets a node: partition 4."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
