package scale

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// scaling is the run whose Pods are created and deleted.
type scaling struct{ *reconcile.Run }

// Scale mirrors Scale (pkg/controller/cloneset/sync/cloneset_scale.go,
// v1.9.1). Each step that does something ends it.
func Scale(run *reconcile.Run) {
	s := &scaling{run}
	specified, going := s.planned()
	if !s.cancelDeletion(going, numToDelete(specified, going)) {
		s.scale(specified, going)
		s.leaveNamed(specified, going)
	}
}

func (s *scaling) scale(specified, going []*core.PodState) {
	fresh, old := core.GroupPods(s.Pods, false)
	d := core.CalculateDiffs(s.Limits, fresh, old)
	s.ExplainScale(d, fresh, old)
	if d.ScaleUpNum > 0 {
		s.create(d)
		return
	}
	n := numToDelete(specified, going)
	deleted := s.deletePods(going, rules.PreDeleteDone) ||
		s.Outcome.ScaleErr == nil && s.deleteSpecified(without(specified, going), d.DeleteReadyLimit)
	switch {
	case s.Outcome.ScaleErr != nil || d.ScaleDownNum == 0:
	case n > 0:
		if !deleted {
			s.Limit(rules.ScaleInSuspended, decision.F(rules.KeyNumToDelete, n), decision.F(rules.KeyScaleDownNum, d.ScaleDownNum))
		}
		s.holdRest(without(without(s.Pods, specified), going), s.heldAmong(specified)+s.heldAmong(going) > 0, d.ScaleDownNum+fresh.ToDelete+old.ToDelete-n)
	default:
		s.scaleIn(d)
	}
}

// holdRest notes that so many of the Pods that nobody named are still to be chosen once
// those are gone whose deletion is under way, which a hook may hold.
func (s *scaling) holdRest(rest []*core.PodState, held bool, n int) {
	why := fmt.Sprintf("once the Pods are gone that are named or waiting for deletion, the scale-in deletes %d of %s", n, format.Plural(len(rest), "other Pod"))
	for _, m := range rest {
		switch {
		case n >= len(rest):
			s.Decision.HoldDeletion(m.Ref.Name, why)
		case n > 0:
			s.Decision.HoldChoice(m.Ref.Name, why)
		}
	}
	for range s.freeOf(min(n, len(rest)), rest, held) {
		s.Decision.DeleteLater(len(s.Set.Spec.VolumeClaimTemplates))
	}
}

// planned mirrors getPlannedDeletedPods: the pods that someone named, and
// those whose deletion has begun.
func (s *scaling) planned() (specified, going []*core.PodState) {
	for _, m := range s.Pods {
		if m.Specified {
			specified = append(specified, m)
		}
		if m.State == kruise.PreparingDelete {
			going = append(going, m)
		}
	}
	return specified, going
}

func numToDelete(specified, going []*core.PodState) int {
	return len(specified) + len(without(going, specified))
}

func without(all, dropped []*core.PodState) []*core.PodState {
	drop := map[*core.PodState]bool{}
	for _, m := range dropped {
		drop[m] = true
	}
	var left []*core.PodState
	for _, m := range all {
		if !drop[m] {
			left = append(left, m)
		}
	}
	return left
}

// wayBack says what takes back the deletion of a Pod that its hook holds: cancelDeletion,
// once no more Pods than those that are named are too many.
func (s *scaling) wayBack(m *core.PodState) string {
	specified, _ := s.planned()
	replicas, first := len(s.Pods)-len(specified), ""
	if m.Specified {
		replicas, first = replicas+1, "once it is named for deletion no longer, "
	}
	if s.keepsDeletion() {
		return "nothing takes that back, as a hook marks Pods not ready"
	}
	return fmt.Sprintf("%sspec.replicas %d or more takes that back", first, replicas)
}

// keepsDeletion reports whether a hook marks Pods not ready.
func (s *scaling) keepsDeletion() bool {
	l := s.Set.Spec.Lifecycle
	return l != nil && (l.PreDelete.Marks() || l.InPlaceUpdate.Marks())
}

// cancelDeletion mirrors managePreparingDelete: when pods are missing, those
// waiting to be deleted come back, unless someone named them or a hook marks
// pods not ready.
func (s *scaling) cancelDeletion(going []*core.PodState, numToDelete int) bool {
	if s.keepsDeletion() {
		return false
	}
	diff := s.Set.Desired() - len(s.Pods) + numToDelete
	var back []*core.PodState
	for _, m := range going {
		if !m.Specified {
			back = append(back, m)
		}
	}
	if diff <= 0 || len(back) == 0 {
		return false
	}
	if s.Outcome.ScaleFails(s.anyRefused(back, func(m *core.PodState) error { return s.patchRefused(m.Ref.Name) })) {
		return true
	}
	for _, m := range back {
		s.SetState(m, kruise.PreparingNormal, rules.DeletionCancelled, s.Accepted(s.Moves(m, kruise.PreparingNormal)))
		if diff < len(back) { // which ones, the order of the controller's cache decides
			s.Share(&decision.Choice{Of: rules.DeletionCancelled, K: diff, N: len(back)})
		}
	}
	s.Outcome.Scaled(true)
	return true
}
