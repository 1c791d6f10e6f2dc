package cloneset

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// deleteSpecified deletes the pods that someone named: those not ready at
// once, ready ones as far as deleteReadyLimit goes.
func (s *sync) deleteSpecified(pods []*core.PodState, limit int) bool {
	var ready, doomed []*core.PodState
	for _, m := range pods {
		if m.ReadyNow {
			ready = append(ready, m)
		} else {
			doomed = append(doomed, m)
		}
	}
	allowed := min(limit, len(ready))
	all := append(slices.Clip(doomed), ready...)
	if allowed == len(ready) {
		return s.deletePods(all, rules.SpecifiedDelete)
	}
	s.limit(rules.DeleteReadyLimited, decision.F("allowed", allowed), decision.F("ready", len(ready)), decision.F("deleteReadyLimit", limit))
	if allowed == 0 {
		return s.deletePods(doomed, rules.SpecifiedDelete)
	}
	p, ok := s.mayDelete(all, turn{pods: all, least: len(doomed) + allowed, most: len(doomed) + allowed})
	switch {
	case !ok:
		return false
	case p.by != nil:
		return s.deleteSome(p, rules.SpecifiedDelete)
	}
	modified := s.deleteAll(doomed, rules.SpecifiedDelete)
	return s.deleteSome(passage{some: ready, k: allowed}, rules.SpecifiedDelete) || modified
}

// deletePods mirrors deletePods: a pod that the preDelete hook holds is only
// moved to PreparingDelete; with others their volume claims go.
func (s *sync) deletePods(pods []*core.PodState, rule string) bool {
	p, ok := s.mayDelete(pods, turn{pods: pods, least: len(pods), most: len(pods)})
	switch {
	case !ok:
		return false
	case p.by != nil:
		return s.deleteSome(p, rule)
	}
	return s.deleteAll(pods, rule)
}

// mayDelete tells how far the deletion of pods goes, in these turns; ok is false
// when the API server itself refuses it.
func (s *sync) mayDelete(pods []*core.PodState, turns ...turn) (p passage, ok bool) {
	if s.outcome.scaleFails(s.anyRefused(pods, s.deletionRefused)) {
		return p, false
	}
	p = s.admit(turns)
	s.tell(p)
	return p, true
}

func (s *sync) deleteAll(pods []*core.PodState, rule string) bool {
	modified := false
	for _, m := range pods {
		modified = s.deletePod(m, decision.Ruled(rule), nil) || modified
	}
	s.outcome.scaled(modified)
	return modified
}

// deleteSome deletes k of some pods, which ones chance decides.
func (s *sync) deleteSome(p passage, rule string) bool {
	if p.k == 0 {
		return false
	}
	share := &decision.Choice{Of: rule, K: p.k, N: len(p.some), AtMost: p.loose}
	for _, m := range p.some {
		s.deletePod(m, decision.Ruled(rule), share)
	}
	s.outcome.scaled(true)
	return true
}

// deletionRefused is the API server's answer to the deletion of a pod, or to
// the state in which its hook waits.
func (s *sync) deletionRefused(m *core.PodState) error {
	if _, held := s.set.DeleteHook().Holding(m.Pod); !held {
		return s.refused(Call{Verb: "delete", Kind: "Pod", Name: m.Name})
	}
	if m.State == kruise.PreparingDelete {
		return nil
	}
	return s.patchRefused(m.Name)
}

// deletePod deletes one pod, or moves it to where its hook waits; share says
// how many of how many go, when that is not deterministic.
func (s *sync) deletePod(m *core.PodState, why decision.Ruling, share *decision.Choice) bool {
	if by, held := s.set.DeleteHook().Holding(m.Pod); held {
		if m.State == kruise.PreparingDelete {
			s.closeBeforeDeletion(m)
			s.deletionHeld(m, by)
			s.limit(rules.PreDeleteHeld, decision.F("pod", m.Name), decision.F("hook", by))
			return false
		}
		s.setState(m, kruise.PreparingDelete, rules.PreDeleteHooked, s.accepted(s.moves(m, kruise.PreparingDelete)), decision.F("hook", by))
		s.d.Actions[len(s.d.Actions)-1].StartsDeletion = true
		if share != nil {
			s.shared(share)
		}
		return true
	}
	write := s.log.AddWith(s.deletes(m))
	s.does(action(decision.Delete, m.Ref, why), write)
	key := m.Namespace + "/" + m.Name
	if share == nil {
		s.record.deletes = append(s.record.deletes, key)
	} else {
		s.shared(share)
		s.record.perhaps(key, share)
	}
	s.deleteVolumes(m, share, write)
	return true
}

// deletionHeld notes a Pod whose deletion has started, and which the hook holds.
func (s *sync) deletionHeld(m *core.PodState, by string) {
	if s.d.DeletionHeld == nil {
		s.d.DeletionHeld = map[string]string{}
	}
	s.d.DeletionHeld[m.Name] = "its deletion has begun; the preDelete hook holds it until " + by + " is removed"
}

// shared marks the latest action as one of several that chance picks from.
func (s *sync) shared(share *decision.Choice) {
	a := &s.d.Actions[len(s.d.Actions)-1]
	a.Certainty, a.Choice = decision.Possible, share
}
