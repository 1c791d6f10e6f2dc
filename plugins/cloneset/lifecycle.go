package cloneset

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// moves are the requests that move a Pod to another state of its lifecycle, which
// may close or open its readiness gate before (UpdatePodLifecycle of pkg/util/
// lifecycle/lifecycle_utils.go, v1.9.1).
func (s *sync) moves(m *core.PodState, to string) []request {
	return append(s.notReadyPolicy(m, to), once(kruise.WritePod(cluster.Patch, m.Pod, func(p *corev1.Pod) { kruise.Enter(p, to, s.now) })))
}

// movesBack are those that begin an update anew, and put the labels and finalizers
// of its hook back (UpdatePodLifecycleWithHandler, same file).
func (s *sync) movesBack(m *core.PodState) []request {
	return append(s.notReadyPolicy(m, kruise.PreparingUpdate), once(kruise.WritePod(cluster.Patch, m.Pod, func(p *corev1.Pod) {
		kruise.Enter(p, kruise.PreparingUpdate, s.now)
		h := s.set.UpdateHook()
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

// notReadyPolicy is the request that closes or opens a Pod's readiness gate when it moves to
// a state whose hook marks Pods not ready (executePodNotReadyPolicy, same file).
func (s *sync) notReadyPolicy(m *core.PodState, to string) []request {
	switch {
	case !kruise.HasGate(m.Pod, kruise.PodReady):
	case to == kruise.PreparingDelete && s.set.DeleteHook().Marks():
		return []request{retried(kruise.CloseGate(m.Pod, kruise.DeletionHook, s.stamp()))}
	case to == kruise.PreparingUpdate && s.set.UpdateHook().Marks():
		return []request{retried(kruise.CloseGate(m.Pod, kruise.UpdateHook, s.stamp()))}
	case to == kruise.Updated && s.set.UpdateHook().Marks():
		return []request{retried(kruise.OpenGate(m.Pod, kruise.UpdateHook, s.stamp()))}
	}
	return nil
}

// accepted puts requests on the log that the API server was asked about before, and
// returns the number of the last.
func (s *sync) accepted(all []request) int {
	writes := make([]cluster.Write, len(all))
	for i, r := range all {
		writes[i] = r.Write
	}
	return s.log.AddWith(writes)
}

// closeBeforeDeletion closes the gate of a Pod that waits for its hook, and is still
// open, which is no action of its own.
func (s *sync) closeBeforeDeletion(m *core.PodState) {
	requests := s.notReadyPolicy(m, kruise.PreparingDelete)
	if len(requests) == 0 || kruise.ClosedBy(m.Pod, kruise.DeletionHook) {
		return
	}
	m.Written = true
	s.accepted(requests)
}
