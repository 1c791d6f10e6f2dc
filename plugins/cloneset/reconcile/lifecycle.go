package reconcile

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Moves returns the requests that move a Pod to another state of its lifecycle, which
// may close or open its readiness gate before (UpdatePodLifecycle of pkg/util/
// lifecycle/lifecycle_utils.go, v1.9.1).
func (s *Run) Moves(m *core.PodState, to string) []Request {
	return append(s.NotReadyPolicy(m, to), Once(kruise.WritePod(cluster.Patch, m.Pod, func(p *corev1.Pod) { kruise.Enter(p, to, s.Now) })))
}

// NotReadyPolicy returns the request that closes or opens a Pod's readiness gate when it moves to
// a state whose hook marks Pods not ready (executePodNotReadyPolicy, same file).
func (s *Run) NotReadyPolicy(m *core.PodState, to string) []Request {
	switch {
	case !kruise.HasGate(m.Pod, kruise.PodReady):
	case to == kruise.PreparingDelete && s.Set.DeleteHook().Marks():
		return []Request{Retried(kruise.CloseGate(m.Pod, kruise.DeletionHook, s.Stamp()))}
	case to == kruise.PreparingUpdate && s.Set.UpdateHook().Marks():
		return []Request{Retried(kruise.CloseGate(m.Pod, kruise.UpdateHook, s.Stamp()))}
	case to == kruise.Updated && s.Set.UpdateHook().Marks():
		return []Request{Retried(kruise.OpenGate(m.Pod, kruise.UpdateHook, s.Stamp()))}
	}
	return nil
}

// Accepted puts requests on the log that the API server was asked about before, and
// returns the number of the last.
func (s *Run) Accepted(all []Request) int {
	n := 0
	for i := range all {
		n = s.Log.Add(all[i].Write)
	}
	s.Log.Join(len(all))
	return n
}
