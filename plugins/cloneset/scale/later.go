package scale

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
)

// freeOf parts n of some Pods that are still to be deleted: those that the preDelete hook holds, or
// that come after what it holds, nothing in the cluster brings. They are counted as such.
func (s *scaling) freeOf(n int, of []*core.PodState, behind bool) (free int) {
	hanging := min(n, s.heldAmong(of))
	if behind {
		hanging = n
	}
	if hanging > 0 {
		s.Decision.Hang(decision.Toll{PodsDeleted: hanging, ClaimsDeleted: hanging * len(s.Set.Spec.VolumeClaimTemplates)})
	}
	return n - hanging
}

// heldAmong counts the Pods that the preDelete hook holds once they are to be deleted.
func (s *scaling) heldAmong(pods []*core.PodState) (n int) {
	for _, m := range pods {
		if _, held := s.Set.DeleteHook().Holding(m.Pod); held {
			n++
		}
	}
	return n
}

// leave counts n of some Pods that are chosen for deletion, and that this sync leaves to later ones.
func (s *scaling) leave(n int, of []*core.PodState, behind bool) {
	for range s.freeOf(n, of, behind) {
		s.Decision.DiscardLater(len(s.Set.Spec.VolumeClaimTemplates))
	}
}

// leaveNamed leaves the Pods that are named for deletion, or wait for it, and are not deleted in
// this sync: it creates others first, or a hook, a budget or deleteReadyLimit holds them.
func (s *scaling) leaveNamed(specified, going []*core.PodState) {
	named := append(without(specified, going), going...)
	if len(named) == 0 {
		return
	}
	chosen := 0
	for _, c := range s.Decision.Choices() {
		chosen += c.K
	}
	deleted := s.Deleted()
	var left []*core.PodState
	for _, m := range named {
		if !deleted[m.Ref] {
			left = append(left, m)
		}
	}
	s.leave(len(left)-chosen, left, s.heldAmong(left) > 0)
}
