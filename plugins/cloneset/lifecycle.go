package cloneset

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
)

// timestampAnnotation is when a Pod came to the state of its lifecycle (apis/apps/
// pub/lifecycle.go, v1.9.1).
const timestampAnnotation = "lifecycle.apps.kruise.io/timestamp"

// moves are the requests that move a Pod to another state of its lifecycle, which
// may close or open its readiness gate before (UpdatePodLifecycle of pkg/util/
// lifecycle/lifecycle_utils.go, v1.9.1).
func (s *sync) moves(m *member, to string) []request {
	return append(s.notReadyPolicy(m, to), once(podWrite(cluster.Patch, m.Pod, func(p *corev1.Pod) { s.enter(p, to) })))
}

// movesBack are those that begin an update anew, and put the labels and finalizers
// of its hook back (UpdatePodLifecycleWithHandler, same file).
func (s *sync) movesBack(m *member) []request {
	return append(s.notReadyPolicy(m, preparingUpdate), once(podWrite(cluster.Patch, m.Pod, func(p *corev1.Pod) {
		s.enter(p, preparingUpdate)
		h := s.set.updateHook()
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

// enter sets the state of a Pod's lifecycle.
func (s *sync) enter(p *corev1.Pod, state string) {
	if p.Annotations == nil {
		p.Annotations = map[string]string{}
	}
	p.Labels[stateLabel], p.Annotations[timestampAnnotation] = state, s.now.Format(time.RFC3339)
}

// notReadyPolicy is the request that closes or opens a Pod's readiness gate when it moves to
// a state whose hook marks Pods not ready (executePodNotReadyPolicy, same file).
func (s *sync) notReadyPolicy(m *member, to string) []request {
	switch {
	case !gated(m.Pod, kruisePodReady):
	case to == preparingDelete && s.set.deleteHook().marks():
		return []request{retried(s.closing(m.Pod, deletionHook))}
	case to == preparingUpdate && s.set.updateHook().marks():
		return []request{retried(s.closing(m.Pod, updateHook))}
	case to == stateUpdated && s.set.updateHook().marks():
		return []request{retried(s.opening(m.Pod, updateHook))}
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

// closeBeforeDeletion closes the gate of a Pod that waits for its hook, which is no
// action of its own.
func (s *sync) closeBeforeDeletion(m *member) {
	if !m.written && s.closesReadiness(m) {
		m.written = true
		s.accepted([]request{retried(s.closing(m.Pod, deletionHook))})
	}
}
