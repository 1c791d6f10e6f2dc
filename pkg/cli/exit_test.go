package cli

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
)

// TestExitOfLaterSyncs: what a change leads to in later syncs is predicted, also where the
// next one only waits.
func TestExitOfLaterSyncs(t *testing.T) {
	waits := func(changes ...decision.Change) *decision.Decision {
		d := &decision.Decision{WhatIf: changes}
		d.Summary.Total.Later.PodsDeleted = 1
		return d
	}
	if got := planExit(waits()); got != exitNothing {
		t.Errorf("without a change: %d", got)
	}
	if got := planExit(waits(decision.Change{Path: "spec.template"})); got != exitPending {
		t.Errorf("of a change: %d", got)
	}
	if got := planExit(&decision.Decision{WhatIf: []decision.Change{{}}}); got != exitNothing {
		t.Errorf("of a change that leads to nothing: %d", got)
	}
}

// TestExitOfBrief: what a list keeps of a decision has its status.
func TestExitOfBrief(t *testing.T) {
	for name, tt := range map[string]struct {
		d    decision.Decision
		want int
	}{
		"no leader": {decision.Decision{
			Standing: decision.Standing{State: decision.StateBlocked, Stopped: true, BlockedBy: []decision.Cause{{Reason: "Unschedulable"}, {Reason: lease.NoLeader}}},
			Timeline: &decision.Timeline{Rounds: []decision.Round{{}}}, Pending: true,
		}, exitBlocked},
		"stopped otherwise": {decision.Decision{
			Standing: decision.Standing{State: decision.StateBlocked, Stopped: true, BlockedBy: []decision.Cause{{Reason: "Unschedulable"}}},
			Timeline: &decision.Timeline{Rounds: []decision.Round{{}}}, Pending: true,
		}, exitPending},
		"later syncs": {decision.Decision{
			WhatIf: []decision.Change{{}}, Summary: decision.Summary{Total: decision.Total{Later: decision.Toll{PodsDeleted: 1}}},
		}, exitPending},
		"blocked, and changed": {decision.Decision{
			Standing: decision.Standing{State: decision.StateBlocked, Stopped: true}, Pending: true, WhatIf: []decision.Change{{}}, Timeline: &decision.Timeline{},
		}, exitPending},
	} {
		if got := planExit(&tt.d); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
		if got, want := planExit(brief(&tt.d)), planExit(&tt.d); got != want {
			t.Errorf("%s: %d of a list, %d of one", name, got, want)
		}
		if got, want := explainExit(brief(&tt.d)), explainExit(&tt.d); got != want {
			t.Errorf("%s: an explanation's is %d of a list, %d of one", name, got, want)
		}
	}
}
