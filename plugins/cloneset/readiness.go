package cloneset

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// closesReadiness reports whether the sync writes the status of a pod that waits
// for its hook before deletion: one with the gate, which the hook has not closed
// yet.
func (s *sync) closesReadiness(m *core.PodState) bool {
	return s.set.DeleteHook().Marks() && kruise.HasGate(m.Pod, kruise.PodReady) && !kruise.ClosedBy(m.Pod, kruise.DeletionHook)
}

// writesUnseen reports whether the sync writes a pod without an action of its own.
func (s *sync) writesUnseen() bool {
	return slices.ContainsFunc(s.pods, func(m *core.PodState) bool { return m.Written })
}
