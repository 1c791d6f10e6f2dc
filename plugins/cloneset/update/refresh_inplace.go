package update

import (
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// refreshInPlace mirrors Refresh (pkg/util/inplaceupdate/inplace_update.go,
// v1.9.1). What it writes does not keep the sync from updating other pods.
func (s *updating) refreshInPlace(m *core.PodState) error {
	if m.Grace != "" {
		return s.finishGrace(m)
	}
	if m.Begun {
		if goOn, err := s.nextBatch(m); err != nil || !goOn {
			return err
		}
	}
	return s.openGate(m)
}

func (s *updating) openGate(m *core.PodState) error {
	if !m.Shut {
		return nil
	}
	if m.Written && s.Behaviour.OpenOnce {
		return &cluster.Conflict{Kind: view.Pods, Name: m.Ref.Name}
	}
	write, err := s.Send(reconcile.Request{Write: kruise.WritePodStatus(m.Pod, func(p *corev1.Pod) { kruise.SetPodCondition(p, kruise.InPlaceReady, corev1.ConditionTrue, s.Stamp()) }), Retried: !s.Behaviour.OpenOnce})
	if err == nil {
		s.Does(reconcile.Action(decision.SetCondition, m.Ref, decision.Ruled(rules.InPlaceReadySet)), write)
		m.Opened = true
	}
	return err
}

// nextBatch updates the containers that come after those that are done. It reports
// whether there were none, so that the readiness gate is looked at.
func (s *updating) nextBatch(m *core.PodState) (goOn bool, err error) {
	st, err := s.Done.State(m.Record)
	if err != nil {
		return false, err
	}
	if m.Unsure != "" {
		s.Limit(rules.CompletionUnknown, decision.F(rules.KeyPod, m.Ref.Name), decision.F(rules.KeyWhy, m.Unsure))
	}
	switch {
	case !m.UpToDate:
		return false, nil
	case !st.MoreBatches():
		return true, nil
	case !st.MayGoOn(m.Pod):
		return false, nil
	case len(st.NextContainerImages)+len(st.NextContainerRefMetadata) == 0:
		return true, nil // resources alone never start a batch
	}
	return false, s.updateContainers(m, rules.NextBatch, func(p *corev1.Pod) { s.Behaviour.Continue(p, s.Stamp()) }, s.inBatches(m, st.Next())...)
}

// inBatches are the containers that are updated now, and those of later batches.
func (s *updating) inBatches(m *core.PodState, u inplace.ContainerUpdate) []decision.Fact {
	now, later := s.Behaviour.Batches(m.Pod, u)
	return []decision.Fact{decision.F(rules.KeyContainers, format.List(now)), decision.F(rules.KeyLater, format.List(later))}
}

// updateContainers goes on with an update in place that has begun.
func (s *updating) updateContainers(m *core.PodState, rule string, change func(*corev1.Pod), facts ...decision.Fact) error {
	request := reconcile.Retried(kruise.WritePod(cluster.Update, m.Pod, change))
	write, err := s.Send(request)
	if err == nil {
		a := reconcile.Action(decision.UpdateInPlace, m.Ref, decision.Ruled(rule, facts...))
		s.changes(&a, m, request)
		s.Does(a, write)
	}
	return err
}

// finishGrace mirrors finishGracePeriod: the images are changed when the grace
// period is over.
func (s *updating) finishGrace(m *core.PodState) error {
	var grace inplace.Update
	if err := json.Unmarshal([]byte(m.Grace), &grace); err != nil {
		return err
	}
	if !m.Begun {
		return fmt.Errorf("pod has %s but %s not found", kruise.GraceAnnotation, kruise.UpdateAnnotation)
	}
	st, err := s.Done.State(m.Record)
	if err != nil {
		return nil //nolint:nilerr // upstream drops this error
	}
	total := time.Duration(grace.GraceSeconds) * time.Second
	spent := s.Now.Sub(st.UpdateTimestamp.Time)
	switch {
	case !m.Carries(grace.Revision):
		return s.dropGrace(m, grace.Revision)
	case spent < total:
		left := (total - spent + time.Second - 1).Truncate(time.Second)
		s.Timer(left, rules.GraceCheck, decision.F(rules.KeyPod, m.Ref.Name))
		return nil
	}
	return s.updateContainers(m, rules.GraceOver, func(p *corev1.Pod) { s.Behaviour.EndGrace(p, s.Stamp()) }, append(s.inBatches(m, grace.ContainerUpdate), decision.F(rules.KeySeconds, fmt.Sprint(grace.GraceSeconds)))...)
}

func (s *updating) dropGrace(m *core.PodState, revision string) error {
	write, err := s.Send(reconcile.Retried(kruise.WritePod(cluster.Update, m.Pod, inplace.DropGrace)))
	if err == nil {
		a := reconcile.Action(decision.SetState, m.Ref, decision.Ruled(rules.GraceDropped, decision.F(rules.KeyRevision, revision)))
		a.Marks = true
		s.Does(a, write)
	}
	return err
}
