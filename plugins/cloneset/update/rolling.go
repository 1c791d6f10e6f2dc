package update

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
)

// roll counts of the Pods that wait for their update, in their order, those that later syncs
// delete for it. What the preDelete hook holds, nothing in the cluster brings.
func (s *updating) roll(waiting []*core.PodState, target *revision.Revision) {
	for _, m := range waiting {
		if s.replaces(m, target) {
			s.rollOver(m)
		}
	}
}

// rollOn counts what the rollout deletes after a sync that scales, or does something else. Pods
// that are named for deletion are counted already.
func (s *updating) rollOn(queued []*core.PodState) {
	deleted, created, named := s.Deleted(), 0, 0
	for i := range s.Decision.Actions {
		if a := &s.Decision.Actions[i]; a.Verb == decision.Create && a.Into == s.Revisions.Update.Name {
			created += a.Count
		}
	}
	var stay, waiting []*core.PodState
	for _, m := range s.Pods {
		switch {
		case deleted[m.Ref]:
		case m.Specified:
			named++
		default:
			stay = append(stay, m)
		}
	}
	for _, m := range queued {
		if !m.Specified {
			waiting = append(waiting, m)
		}
	}
	fresh, old := core.GroupPods(stay, true)
	fresh.Active += created
	num := min(core.CalculateDiffs(s.Limits, fresh, old).UpdateNum, len(waiting))
	if num <= 0 {
		return
	}
	if num < len(waiting) && !s.Reader.Brief() {
		waiting = s.Sorter().Queue(waiting, s.Pods).Places
	}
	s.roll(waiting[:num], s.Revisions.Update)
	s.surge(len(stay) + created + named)
}

func (s *updating) rollOver(m *core.PodState) {
	claims := len(s.claimsOf(m))
	if _, held := s.Set.DeleteHook().Holding(m.Pod); held {
		s.Decision.Hang(decision.Toll{PodsDeleted: 1, PodsRecreated: 1, ClaimsDeleted: claims})
		return
	}
	s.Decision.RecreateLater(claims)
}

// replaces reports whether a Pod is recreated to be updated, as far as its revision is known.
func (s *updating) replaces(m *core.PodState, target *revision.Revision) bool {
	switch from := s.Revisions.Of(m); {
	case !s.Set.InPlace():
		return true
	case s.Set.Spec.UpdateStrategy.Type == api.InPlaceOnly, from == nil && s.Revisions.Unread:
		return false
	default:
		return s.Changes.Between(from, target).Forbidden != ""
	}
}

// claimsOf are the volume claims of a Pod, which are deleted with it.
func (s *updating) claimsOf(m *core.PodState) []decision.Ref {
	if s.claims == nil {
		s.claims = reconcile.ByInstance(s.Volumes)
	}
	return s.claims[m.ID]
}

// surge counts those of so many Pods that are beyond the desired ones, and that nothing else
// deletes: later syncs do once others are updated.
func (s *updating) surge(pods int) {
	d, counted := s.Decision, 0
	for _, t := range []decision.Toll{d.Later, d.Rolling, d.Hanging} {
		counted += t.PodsDeleted - t.PodsRecreated
	}
	for range pods - s.Limits.Replicas - counted {
		d.DiscardLater(len(s.Set.Spec.VolumeClaimTemplates))
	}
}
