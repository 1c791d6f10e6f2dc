package cloneset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// passage is whether a sync goes on, and where it does not, when it is tried again.
type passage struct {
	gate decision.Gate
	next decision.Next
}

func gateOf(open bool, why decision.Ruling) decision.Gate {
	return decision.Gate{Open: open, Basis: "computed", Ruling: why}
}

// expectations says whether the sync gets past its scale expectations; while it does
// not, nothing happens at all, not even a status update
// (cloneset_controller.go doReconcile, v1.9.1).
func (s *sync) expectations() passage {
	r := s.Given.Scale
	switch {
	case s.Set.Invalid != nil:
		return passage{
			gateOf(false, decision.Ruled(rules.InvalidSelector, decision.At(rules.KeyError, s.Set.Invalid.Error(), "spec.selector"))),
			decision.Next{Ruling: decision.Ruled(rules.NextOnEvent)},
		}
	case r == nil || len(r.Creates)+len(r.Deletes) == 0:
		return passage{gate: gateOf(true, decision.Ruled(rules.NoExpectations))}
	}
	return s.scaleExpected(r)
}

func (s *sync) scaleExpected(r *reconcile.ScaleRecord) passage {
	waited := time.Duration(0)
	if !r.Since.IsZero() {
		waited = s.Now.Sub(r.Since)
	}
	facts := []decision.Fact{
		decision.F(rules.KeyCreates, format.List(r.Creates)), decision.F(rules.KeyDeletes, format.List(r.Deletes)),
		decision.F(rules.KeyWaited, waited.String()), decision.F(rules.KeyLeft, (reconcile.Timeout - waited).String()),
	}
	switch {
	case waited < reconcile.Timeout:
		return waits(decision.Ruled(rules.ScaleExpected, facts...), reconcile.Timeout-waited)
	case s.Behaviour.DropExpired:
		return waits(decision.Ruled(rules.ScaleExpectationDropped, facts...), 10*time.Second)
	}
	return waits(decision.Ruled(rules.ScaleExpectedForever, facts...), 0)
}

// versions says whether the sync gets past its resource version
// expectations, in the order of the pods; nil where it does.
func (s *sync) versions() *passage {
	first, found := time.Duration(0), ""
	for _, m := range s.Pods {
		since, expected := s.Given.Versions[m.Ref.Name]
		if !expected || m.Adopted { // an adoption brings the newest version
			continue
		}
		switch waited := s.Now.Sub(since); {
		case found == "":
			first, found = waited, m.Ref.Name
		case waited != first:
			s.Chance.ExpectMany()
		}
	}
	if found == "" {
		return nil
	}
	facts := []decision.Fact{decision.F(rules.KeyPod, found), decision.F(rules.KeyWaited, first.String()), decision.F(rules.KeyLeft, (reconcile.Timeout - first).String())}
	out := waits(decision.Ruled(rules.VersionExpectedForever, facts...), 0)
	if first < reconcile.Timeout {
		out = waits(decision.Ruled(rules.VersionExpected, facts...), reconcile.Timeout-first)
	}
	return &out
}

// waits closes the gate for an expectation, which is looked at again after a while,
// 0 for not.
func waits(why decision.Ruling, after time.Duration) passage {
	next := decision.Ruled(rules.NextOnEvent)
	if after > 0 {
		next = decision.Ruled(rules.ExpectationCheck, decision.F(rules.KeyAfter, after.String()))
	}
	return passage{gateOf(false, why), decision.Next{Ruling: next, After: after}}
}
