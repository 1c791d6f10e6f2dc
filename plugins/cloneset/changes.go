package cloneset

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// updates are the requests that start an update in place, and mirrors
// updatePodInPlace (pkg/util/inplaceupdate/inplace_update.go, v1.9.1): the Pod is
// taken out of service, marked, and its containers are changed, at once or after
// the grace period.
func (s *sync) updates(m *core.PodState, c inplace.Change, from, target *revision.Revision) []request {
	update := retried(kruise.WritePod(cluster.Update, m.Pod, func(p *corev1.Pod) { s.start(p, c, from, target) }))
	if s.behaviour.LeavesService(m.Pod, c, &target.Template) {
		return []request{s.leaves(m), update}
	}
	return []request{update}
}

// leaves takes a Pod out of service for an update in place.
func (s *sync) leaves(m *core.PodState) request {
	return retried(kruise.WritePodStatus(m.Pod, func(p *corev1.Pod) { kruise.SetPodCondition(p, kruise.InPlaceReady, corev1.ConditionFalse, s.stamp()) }))
}

// unknownUpdates are the requests where the revisions could not be read: what they
// write is not known.
func (s *sync) unknownUpdates(m *core.PodState) []request {
	same := func(*corev1.Pod) {}
	update := retried(kruise.WritePod(cluster.Update, m.Pod, same))
	if kruise.HasGate(m.Pod, kruise.InPlaceReady) {
		return []request{retried(kruise.WritePodStatus(m.Pod, same)), update}
	}
	return []request{update}
}

// start makes a Pod one of the target whose containers are changed.
func (s *sync) start(p *corev1.Pod, c inplace.Change, from, target *revision.Revision) {
	target.WriteHash(p, s.behaviour.ShortHash)
	kruise.Enter(p, kruise.Updating, s.now)
	s.behaviour.Begin(p, c.Update(&from.Template, &target.Template, target.Name), s.grace(), s.stamp())
}
