package update

import (
	"slices"

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
	created := 0
	for i := range s.Decision.Actions {
		if a := &s.Decision.Actions[i]; a.Verb == decision.Create && a.Into == s.Revisions.Update.Name {
			created += a.Count
		}
	}
	waiting := slices.DeleteFunc(slices.Clone(queued), named)
	num := min(s.dueOf(s.staying(named), created), len(waiting))
	if num <= 0 {
		return
	}
	if num < len(waiting) && !s.Reader.Brief() {
		waiting = s.Sorter().Queue(waiting, s.Pods).Places
	}
	s.roll(waiting[:num], s.Revisions.Update)
	s.surge(len(s.staying(nobody)) + created)
}

// named reports whether a Pod is named for deletion.
func named(m *core.PodState) bool { return m.Specified }

func nobody(*core.PodState) bool { return false }

// staying are the Pods without those that this sync deletes, and certain others.
func (s *updating) staying(others func(*core.PodState) bool) []*core.PodState {
	deleted := s.Deleted()
	return slices.DeleteFunc(slices.Clone(s.Pods), func(m *core.PodState) bool { return deleted[m.Ref] || others(m) })
}

// dueOf is how many of some Pods, beside so many new ones, are to be updated; negative to go back.
// New Pods in the place of deleted ones do not change it: they are of the update revision where
// the partition already has all its Pods (createPods, sync/cloneset_scale.go, v1.9.1).
func (s *updating) dueOf(pods []*core.PodState, created int) int {
	fresh, old := core.GroupPods(pods, true)
	fresh.Active += created
	return core.CalculateDiffs(s.Limits, fresh, old).UpdateNum
}

// dueLater is how many Pods are to be updated after this sync, with and without those that are named
// for deletion and not deleted yet.
func (s *updating) dueLater() (with, without int) {
	return s.dueOf(s.staying(nobody), 0), s.dueOf(s.staying(named), 0)
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
