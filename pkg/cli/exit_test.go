package cli

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
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
