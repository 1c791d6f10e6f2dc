package scale

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// deleteSpecified deletes the pods that someone named: those not ready at
// once, ready ones as far as deleteReadyLimit goes.
func (s *scaling) deleteSpecified(pods []*core.PodState, limit int) bool {
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
	s.holdNamed(ready, limit)
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

// holdNamed notes that ready Pods are named for deletion, and that only so many of them are
// deleted now: the others are in a later sync, without any change.
func (s *scaling) holdNamed(ready []*core.PodState, limit int) {
	var names []string
	for _, m := range ready {
		why := fmt.Sprintf("named by podsToDelete or label specified-delete, and deleted as soon as maxUnavailable allows; deleteReadyLimit is %d", limit)
		if hook, held := s.Set.DeleteHook().Holding(m.Pod); held {
			why += "; then the preDelete hook holds it until " + hook + " is removed"
		}
		s.Decision.HoldDeletion(m.Ref.Name, why)
		names = append(names, m.Ref.Name)
	}
	s.Limit(rules.DeleteReadyLimited, decision.F(rules.KeyAllowed, limit), decision.F(rules.KeyReady, len(ready)), decision.F(rules.KeyDeleteReadyLimit, limit), decision.F(rules.KeyPod, format.Some(names, len(names))))
}

// deletePods mirrors deletePods: a pod that the preDelete hook holds is only
// moved to PreparingDelete; with others their volume claims go.
func (s *scaling) deletePods(pods []*core.PodState, rule string) bool {
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
func (s *scaling) mayDelete(pods []*core.PodState, turns ...turn) (p passage, ok bool) {
	if s.Outcome.ScaleFails(s.anyRefused(pods, s.deletionRefused)) {
		return p, false
	}
	p = s.admit(turns)
	s.tell(p)
	return p, true
}

func (s *scaling) deleteAll(pods []*core.PodState, rule string) bool {
	modified := false
	for _, m := range pods {
		modified = s.deletePod(m, decision.Ruled(rule), nil) || modified
	}
	s.Outcome.Scaled(modified)
	return modified
}

// deleteSome deletes k of some pods, which ones chance decides.
func (s *scaling) deleteSome(p passage, rule string) bool {
	if p.k == 0 {
		return false
	}
	share := &decision.Choice{Of: rule, K: p.k, N: len(p.some), AtMost: p.loose}
	for _, m := range p.some {
		s.deletePod(m, decision.Ruled(rule), share)
	}
	s.Outcome.Scaled(true)
	return true
}

// deletionRefused is the API server's answer to the deletion of a pod, or to
// the state in which its hook waits.
func (s *scaling) deletionRefused(m *core.PodState) error {
	if _, held := s.Set.DeleteHook().Holding(m.Pod); !held {
		return s.Refused(reconcile.Call{Verb: "delete", Kind: "Pod", Name: m.Ref.Name})
	}
	if err := s.Asked(s.closing(m)...); err != nil || m.State == kruise.PreparingDelete {
		return err
	}
	return s.patchRefused(m.Ref.Name)
}

// deletePod deletes one pod, or moves it to where its hook waits; share says
// how many of how many go, when that is not deterministic.
func (s *scaling) deletePod(m *core.PodState, why decision.Ruling, share *decision.Choice) bool {
	if by, held := s.Set.DeleteHook().Holding(m.Pod); held {
		if m.State == kruise.PreparingDelete {
			s.closeBeforeDeletion(m)
			s.Decision.HoldDeletion(m.Ref.Name, "its deletion has begun; the preDelete hook holds it until "+by+" is removed; "+s.wayBack(m))
			s.Hooked(m.Ref.Name, kruise.PreDeleteHook, by+" is set")
			s.Limit(rules.PreDeleteHeld, decision.F(rules.KeyPod, m.Ref.Name), decision.F(rules.KeyHook, by))
			return false
		}
		s.SetState(m, kruise.PreparingDelete, rules.PreDeleteHooked, s.Accepted(s.Moves(m, kruise.PreparingDelete)), decision.F(rules.KeyHook, by))
		s.Decision.Latest().StartDeletion(len(s.Set.Spec.VolumeClaimTemplates))
		if share != nil {
			s.Share(share)
		}
		return true
	}
	write := s.Log.AddWith(s.deletes(m))
	s.Does(reconcile.Action(decision.Delete, m.Ref, why), write)
	key := m.Pod.Namespace + "/" + m.Ref.Name
	if share == nil {
		s.Record.Delete(key)
	} else {
		s.Share(share)
		s.Record.Perhaps(key, share)
	}
	s.deleteVolumes(m, share, write)
	return true
}

// closeBeforeDeletion closes the gate of a Pod that waits for its hook, and is still
// open, which is no action of its own.
func (s *scaling) closeBeforeDeletion(m *core.PodState) {
	if requests := s.closing(m); len(requests) > 0 {
		m.Written = true
		s.Accepted(requests)
	}
}

// closing is the request that closes the gate of a Pod whose hook holds its deletion, none
// where that is closed.
func (s *scaling) closing(m *core.PodState) []reconcile.Request {
	if kruise.ClosedBy(m.Pod, kruise.DeletionHook) {
		return nil
	}
	return s.NotReadyPolicy(m, kruise.PreparingDelete)
}

func (s *scaling) patchRefused(pod string) error {
	return s.Refused(reconcile.Call{Verb: "patch", Kind: "Pod", Name: pod})
}

// anyRefused tells which of several pods, whose order is not deterministic, a sync fails
// at: it stops there, and with some refused and some not, chance decides what
// it gets done before.
func (s *scaling) anyRefused(pods []*core.PodState, ask func(*core.PodState) error) error {
	var last error
	n := 0
	for _, m := range pods {
		if err := ask(m); err != nil {
			n, last = n+1, err
		}
	}
	s.Chance.Fail(0 < n && n < len(pods))
	return last
}

// deletes are the requests that delete a Pod: Kruise's webhook charges the budget
// that lets it through.
func (s *scaling) deletes(m *core.PodState) []cluster.Write {
	request := kruise.Deletion(view.Pods, m.Ref)
	if s.Log != nil && s.Behaviour.DeletionBudgets {
		if b, _ := s.Budgets.Guard(m); b != nil {
			return []cluster.Write{s.Budgets.ChargeDeletion(m.Ref.Name, b), request}
		}
	}
	return []cluster.Write{request}
}
