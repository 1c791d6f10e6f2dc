package replicaset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
)

// gate says whether this sync reaches manageReplicas (replica_set.go
// syncReplicaSet, v1.37.1). Claims and status are done either way.
func (s *sync) gate() decision.Gate {
	why := s.gateRuling()
	open := why.Rule == GateOpen || why.Rule == GateFulfilled || why.Rule == GateExpired
	return decision.Gate{Open: open, Basis: "computed", Ruling: why}
}

func (s *sync) gateRuling() decision.Ruling {
	r := s.expected
	switch {
	case s.set.DeletionTimestamp != nil:
		return decision.Ruled(SetDeleting, decision.At(keyDeletionTimestamp, deletionOf(s.set), "metadata.deletionTimestamp"))
	case s.claims.err != nil:
		return decision.Ruled(ClaimRefused, decision.F(keyError, s.claims.err.Error()))
	case r == nil:
		return decision.Ruled(GateOpen)
	case r.Fulfilled():
		return decision.Ruled(GateFulfilled, s.expectationFacts()...)
	case r.Expired(s.now):
		return decision.Ruled(GateExpired, s.expectationFacts()...)
	default:
		return decision.Ruled(GateClosed, s.expectationFacts()...)
	}
}

func (s *sync) expectationFacts() []decision.Fact {
	r := s.expected
	return []decision.Fact{
		decision.F(keyAdds, r.Adds), decision.F(keyDels, r.Dels),
		decision.F(keyAge, s.now.Sub(r.Recorded).String()),
		decision.F(keyExpires, r.Recorded.Add(expectations.Timeout).UTC().Format(time.RFC3339)),
	}
}
