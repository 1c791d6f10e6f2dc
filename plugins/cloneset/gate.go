package cloneset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// gate says whether the sync gets past its scale expectations; while it does
// not, nothing happens at all, not even a status update
// (cloneset_controller.go doReconcile, v1.9.1).
func (s *sync) gate() bool {
	r := s.Given.Scale
	s.Decision.Gate = decision.Gate{Basis: "computed"}
	switch {
	case s.Set.Invalid != nil:
		s.Decision.Gate.Ruling = decision.Ruled(rules.SelectorInvalid, decision.At("error", s.Set.Invalid.Error(), "spec.selector"))
	case r == nil || len(r.Creates)+len(r.Deletes) == 0:
		s.Decision.Gate.Open, s.Decision.Gate.Ruling = true, decision.Ruled(rules.NoExpectations)
	default:
		s.scaleExpected(r)
		return false
	}
	if !s.Decision.Gate.Open {
		s.Decision.NextSync = decision.Ruled(rules.NextOnPodEvent)
	}
	return s.Decision.Gate.Open
}

func (s *sync) scaleExpected(r *reconcile.ScaleRecord) {
	waited := time.Duration(0)
	if !r.Since.IsZero() {
		waited = s.Now.Sub(r.Since)
	}
	facts := []decision.Fact{
		decision.F("creates", wording.List(r.Creates)), decision.F("deletes", wording.List(r.Deletes)),
		decision.F("waited", waited.String()), decision.F("left", (reconcile.Timeout - waited).String()),
	}
	switch {
	case waited < reconcile.Timeout:
		s.waits(decision.Ruled(rules.ScaleExpected, facts...), reconcile.Timeout-waited)
	case s.Behaviour.DropExpired:
		s.waits(decision.Ruled(rules.ScaleExpectationDropped, facts...), 10*time.Second)
	default:
		s.waits(decision.Ruled(rules.ScaleExpectedForever, facts...), 0)
	}
}

// versionsSeen says whether the sync gets past its resource version
// expectations, in the order of the pods.
func (s *sync) versionsSeen() bool {
	first, found := time.Duration(0), ""
	for _, m := range s.Pods {
		since, expected := s.Given.Versions[m.Name]
		if !expected || m.Adopted { // an adoption brings the newest version
			continue
		}
		switch waited := s.Now.Sub(since); {
		case found == "":
			first, found = waited, m.Name
		case waited != first:
			s.Chance.ExpectMany()
		}
	}
	if found == "" {
		return true
	}
	facts := []decision.Fact{decision.F("pod", found), decision.F("waited", first.String()), decision.F("left", (reconcile.Timeout - first).String())}
	if first >= reconcile.Timeout {
		s.waits(decision.Ruled(rules.VersionExpectedForever, facts...), 0)
	} else {
		s.waits(decision.Ruled(rules.VersionExpected, facts...), reconcile.Timeout-first)
	}
	return false
}

// waits closes the gate for an expectation, which is looked at again after a while,
// 0 for not.
func (s *sync) waits(why decision.Ruling, after time.Duration) {
	s.Decision.Gate = decision.Gate{Basis: "computed", Ruling: why}
	s.Decision.After, s.Decision.NextSync = after, decision.Ruled(rules.NextOnPodEvent)
	if after > 0 {
		s.Decision.NextSync = decision.Ruled(rules.ExpectationCheck, decision.F("after", after.String()))
	}
}
