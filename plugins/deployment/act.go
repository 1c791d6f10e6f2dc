package deployment

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// act puts an action on record, which was done.
func (s *sync) act(verb decision.Verb, rs *appsv1.ReplicaSet, why decision.Ruling) *decision.Action {
	certainty := decision.Certain
	if len(s.doubts) > 0 {
		certainty = decision.Possible // the sync ends where a set can't be created
	}
	s.out.Do(decision.Action{
		Verb: verb, Object: ownership.RefTo(view.ReplicaSets, rs), Count: 1, Certainty: certainty, Write: len(s.server.writes), Ruling: why,
	})
	return s.out.Latest()
}

// wrote notes a set as the sync left it.
func (s *sync) wrote(rs *appsv1.ReplicaSet) { s.changed[rs.Name] = rs }

// counted notes arithmetic that the sync came to.
func (s *sync) counted(facts ...decision.Fact) { s.sums = append(s.sums, facts...) }

// hold puts on record why something is not done.
func (s *sync) hold(rule string, about decision.Ref, facts ...decision.Fact) {
	s.out.Find(decision.Evidence{Source: about, Ruling: decision.Ruled(rule, facts...)})
}

// scale mirrors scaleReplicaSet (sync.go, v1.37.1) for a change of size. It
// returns the set as the API server has it then, which is rs itself when
// nothing was to do.
func (s *sync) scale(rs *appsv1.ReplicaSet, to int32, why decision.Ruling) (bool, *appsv1.ReplicaSet, error) {
	if replicasOf(rs) == to {
		return false, rs, nil
	}
	return s.resizeSet(rs, to, why)
}

// resizeSet also writes the size annotations of a set whose size stays.
func (s *sync) resizeSet(rs *appsv1.ReplicaSet, to int32, why decision.Ruling) (bool, *appsv1.ReplicaSet, error) {
	from := replicasOf(rs)
	if from == to && !s.sizesDiffer(rs) {
		return false, rs, nil
	}
	next := rs.DeepCopy()
	next.Spec.Replicas = &to
	s.setSizes(next)
	stored, err := s.server.updateSet(rs, next)
	if err != nil {
		return false, nil, err
	}
	s.wrote(stored)
	verb := decision.Scale
	if from == to {
		verb = decision.Modify
	}
	why.Facts = append(decision.Facts{
		decision.At(keyFrom, from, ownership.RefTo(view.ReplicaSets, rs).String()+" spec.replicas"), decision.F(keyTo, to),
	}, why.Facts...)
	a := s.act(verb, rs, why)
	if from != to {
		a.From, a.To = &from, new(to)
	}
	return from != to, stored, nil
}
