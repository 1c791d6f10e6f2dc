package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// scale mirrors Scale (pkg/controller/cloneset/sync/cloneset_scale.go,
// v1.9.1). Each step that does something ends it.
func (s *sync) scale() {
	specified, going := s.planned()
	if s.cancelDeletion(going, numToDelete(specified, going)) {
		return
	}
	fresh, old := core.GroupPods(s.pods, false)
	d := core.CalculateDiffs(s.limits, fresh, old)
	s.explainScale(d, fresh, old)
	if d.ScaleUpNum > 0 {
		s.create(d)
		return
	}
	if s.deletePods(going, rules.PreDeleteDone) || s.outcome.scaleErr != nil {
		return
	}
	if s.deleteSpecified(without(specified, going), d.DeleteReadyLimit) || s.outcome.scaleErr != nil || d.ScaleDownNum == 0 {
		return
	}
	if n := numToDelete(specified, going); n > 0 {
		s.limit(rules.ScaleInSuspended, decision.F("numToDelete", n), decision.F("scaleDownNum", d.ScaleDownNum))
		return
	}
	s.scaleIn(d)
}

// planned mirrors getPlannedDeletedPods: the pods that someone named, and
// those whose deletion has begun.
func (s *sync) planned() (specified, going []*core.PodState) {
	for _, m := range s.pods {
		if m.Specified {
			specified = append(specified, m)
		}
		if m.State == kruise.PreparingDelete {
			going = append(going, m)
		}
	}
	return specified, going
}

func numToDelete(specified, going []*core.PodState) int {
	return len(specified) + len(without(going, specified))
}

func without(all, dropped []*core.PodState) []*core.PodState {
	drop := map[*core.PodState]bool{}
	for _, m := range dropped {
		drop[m] = true
	}
	var left []*core.PodState
	for _, m := range all {
		if !drop[m] {
			left = append(left, m)
		}
	}
	return left
}

// cancelDeletion mirrors managePreparingDelete: when pods are missing, those
// waiting to be deleted come back, unless someone named them or a hook marks
// pods not ready.
func (s *sync) cancelDeletion(going []*core.PodState, numToDelete int) bool {
	if l := s.set.Spec.Lifecycle; l != nil && (l.PreDelete.Marks() || l.InPlaceUpdate.Marks()) {
		return false
	}
	diff := s.set.Desired() - len(s.pods) + numToDelete
	var back []*core.PodState
	for _, m := range going {
		if !m.Specified {
			back = append(back, m)
		}
	}
	if diff <= 0 || len(back) == 0 {
		return false
	}
	if s.outcome.scaleFails(s.anyRefused(back, func(m *core.PodState) error { return s.patchRefused(m.Name) })) {
		return true
	}
	for _, m := range back {
		s.setState(m, kruise.PreparingNormal, rules.DeletionCancelled, s.accepted(s.moves(m, kruise.PreparingNormal)))
		if diff < len(back) { // which ones, the order of the controller's cache decides
			s.shared(&decision.Choice{Of: rules.DeletionCancelled, K: diff, N: len(back)})
		}
	}
	s.outcome.scaled(true)
	return true
}

// setState moves a pod to another state of its lifecycle, which the API server
// accepts.
func (s *sync) setState(m *core.PodState, to, rule string, write int, facts ...decision.Fact) {
	if m.State == to {
		return
	}
	why := decision.Ruled(rule, append(facts, decision.At("from", m.State, "metadata.labels["+kruise.StateLabel+"]"), decision.F("to", to))...)
	s.does(action(decision.SetState, m.Ref, why), write)
	s.record.version(m.Name)
}
