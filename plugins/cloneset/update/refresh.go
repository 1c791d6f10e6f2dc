package update

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// refresh mirrors the first step of Update: every pod's in-place update and
// lifecycle move on, also while the rollout is paused (refreshPodState and
// fixPodTemplateHashLabel, sync/cloneset_update.go, v1.9.1).
func (s *updating) refresh() {
	failures, acted := map[string]bool{}, 0
	for _, m := range s.Pods {
		before := len(s.Decision.Actions)
		err := s.refreshPod(m)
		if err != nil {
			failures[err.Error()] = true
			s.Outcome.UpdateFails(err)
		}
		if len(s.Decision.Actions) > before {
			acted++
		}
	}
	// A sync ends with the first pod that it fails at, and the order is not deterministic.
	s.Chance.Fail(len(failures) > 1 || len(failures) > 0 && acted > 0 && len(s.Pods) > 1)
}

func (s *updating) refreshPod(m *core.PodState) error {
	if err := s.refreshInPlace(m); err != nil {
		return err
	}
	if to, rule, facts := s.nextState(m); to != "" && to != m.State {
		write, err := s.Send(s.Moves(m, to)...)
		if err != nil {
			return err
		}
		s.SetState(m, to, rule, write, facts...)
		s.Outcome.Refreshed()
	}
	if !m.Hashed {
		hash := kruise.ShortHash(m.Revision)
		write, err := s.Send(reconcile.Once(kruise.WritePod(cluster.Patch, m.Pod, func(p *corev1.Pod) { p.Labels[api.TemplateHashLabel] = hash })))
		if err != nil {
			return err
		}
		a := reconcile.Action(decision.SetState, m.Ref, decision.Ruled(rules.TemplateHashAdded, decision.F(rules.KeyTo, hash)))
		a.Into, a.Marks = hash, true
		s.Does(a, write)
		s.Record.Version(m.Ref.Name)
		s.Outcome.Refreshed()
	}
	return nil
}

// nextState is the state that a pod moves on to, empty for none.
func (s *updating) nextState(m *core.PodState) (to, rule string, facts []decision.Fact) {
	switch m.State {
	case kruise.PreparingNormal:
		return s.afterCreation(m)
	case kruise.PreparingUpdate:
		if m.Updated {
			return s.afterUpdate(m)
		}
	case kruise.Updating:
		switch done, why := s.Done.Completed(m.Pod); {
		case done:
			return s.afterUpdate(m)
		case why != "":
			s.Limit(rules.CompletionUnknown, decision.F(rules.KeyPod, m.Ref.Name), decision.F(rules.KeyWhy, why))
		}
	case kruise.Updated:
		h := s.Set.UpdateHook()
		missing, all := h.Complete(m.Pod)
		if h == nil || all {
			return kruise.Normal, rules.UpdateFinished, nil
		}
		s.Hooked(m.Ref.Name, "inPlaceUpdate", missing+" is missing")
		s.Limit(rules.UpdatedHeld, decision.F(rules.KeyPod, m.Ref.Name), decision.F(rules.KeyMissing, missing))
	}
	return "", "", nil
}

// afterCreation: a new pod becomes Normal with its preNormal hook, or without
// one once it is on a node.
func (s *updating) afterCreation(m *core.PodState) (to, rule string, facts []decision.Fact) {
	l := s.Set.Spec.Lifecycle
	if l == nil || l.PreNormal == nil {
		if m.Pod.Spec.NodeName == "" && s.Behaviour.ScheduledNormal {
			return "", "", nil
		}
		return kruise.Normal, rules.PodNormal, nil
	}
	if missing, all := l.PreNormal.Complete(m.Pod); !all {
		s.Hooked(m.Ref.Name, "preNormal", missing+" is missing")
		s.Limit(rules.PreNormalHeld, decision.F(rules.KeyPod, m.Ref.Name), decision.F(rules.KeyMissing, missing))
		return "", "", nil
	}
	return kruise.Normal, rules.PodNormal, nil
}

// afterUpdate: a Lifecycle without the hook passes through Updated, too, since
// no hook is never all hooked.
func (s *updating) afterUpdate(m *core.PodState) (to, rule string, facts []decision.Fact) {
	if s.Set.Spec.Lifecycle != nil {
		if _, all := s.Set.UpdateHook().Complete(m.Pod); !all {
			return kruise.Updated, rules.UpdateArrived, nil
		}
	}
	return kruise.Normal, rules.UpdateFinished, nil
}
