package update

import (
	"errors"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// updates are the requests that start an update in place, and mirrors
// updatePodInPlace (pkg/util/inplaceupdate/inplace_update.go, v1.9.1): the Pod is
// taken out of service, marked, and its containers are changed, at once or after
// the grace period. Before Kruise 1.9 resources are part of that update (same function,
// v1.8.3), which the API server refuses since 1.32 (ValidatePodUpdate of pkg/apis/core/
// validation/validation.go, v1.32.10).
func (s *updating) updates(m *core.PodState, c inplace.Change, from, target *revision.Revision) []reconcile.Request {
	update := reconcile.Retried(kruise.WritePod(cluster.Update, m.Pod, func(p *corev1.Pod) { s.start(p, c, from, target) }))
	switch {
	case !c.Resizes() || s.Given.Refuse != nil:
	case !s.Behaviour.ResizesByUpdate:
		s.Chance.Resizing()
	case s.Kubernetes.AtLeast(32, 0) && s.Set.Grace() == 0:
		update.Err = errResize
	}
	if s.Behaviour.LeavesService(m.Pod, c, &target.Template) {
		return []reconcile.Request{s.leaves(m), update}
	}
	return []reconcile.Request{update}
}

var errResize = errors.New("resources of a Pod are changed by /resize alone since Kubernetes 1.32, which Kruise uses since 1.9")

// leaves takes a Pod out of service for an update in place.
func (s *updating) leaves(m *core.PodState) reconcile.Request {
	return reconcile.Retried(kruise.WritePodStatus(m.Pod, func(p *corev1.Pod) { kruise.SetPodCondition(p, kruise.InPlaceReady, corev1.ConditionFalse, s.Stamp()) }))
}

// changes puts on record what an update in place writes to a Pod, and what becomes of its
// containers then; of the first of a sync, as the others are alike.
func (s *updating) changes(a *decision.Action, m *core.PodState, update reconcile.Request) {
	if a.Verb != decision.UpdateInPlace || s.changed >= mostChanged {
		return
	}
	s.changed++
	if next, ok := update.Stored(m.Pod).(*corev1.Pod); ok {
		a.Changing(inplace.Changed(m.Pod, next), decision.Ruled(rules.ContainersChange, inplace.Effects(m.Pod, next, s.Kubernetes.AtLeast(31, 0))...))
	}
}

// start makes a Pod one of the target whose containers are changed, as far as it is known
// where it comes from.
func (s *updating) start(p *corev1.Pod, c inplace.Change, from, target *revision.Revision) {
	target.WriteHash(p, s.Behaviour.ShortHash)
	kruise.Enter(p, kruise.Updating, s.Now)
	if from != nil {
		s.Behaviour.Begin(p, c.Update(&from.Template, &target.Template, target.Name), s.Set.Grace(), s.Stamp())
	}
}

// movesBack are those that begin an update anew, and put the labels and finalizers
// of its hook back (UpdatePodLifecycleWithHandler, same file).
func (s *updating) movesBack(m *core.PodState) []reconcile.Request {
	return append(s.NotReadyPolicy(m, kruise.PreparingUpdate), reconcile.Once(kruise.WritePod(cluster.Patch, m.Pod, func(p *corev1.Pod) {
		kruise.Enter(p, kruise.PreparingUpdate, s.Now)
		h := s.Set.UpdateHook()
		if h == nil {
			return
		}
		maps.Copy(p.Labels, h.LabelsHandler)
		for _, f := range h.FinalizersHandler {
			if !slices.Contains(p.Finalizers, f) {
				p.Finalizers = append(p.Finalizers, f)
			}
		}
	})))
}
