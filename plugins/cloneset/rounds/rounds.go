// Package rounds answers: what becomes of a sync in a simulation of many?
package rounds

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/claim"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/status"
)

// synced is a sync whose steps are done.
type synced struct {
	*reconcile.Run
	found *claim.Claims
}

// Of is what becomes of a sync, which makes these writes.
func Of(run *reconcile.Run, found *claim.Claims, writes []cluster.Write) *simulate.Sync {
	s := synced{run, found}
	waits, _ := s.Ripens()
	return &simulate.Sync{
		Decision: s.Decision, Wanted: s.Set.Desired(), Terminating: found.Terminating(), Pods: s.pods(), Revised: true, Looks: s.promotes() || s.writesUnseen(),
		Overdue: s.overdue(), Waits: waits, Ripens: s.ripens(), Begin: s.begin, StartUps: s.startUps, Writes: writes, Minor: minor, Left: s.left, Beyond: s.beyond,
		Say: func(r decision.Ruling) string { return rules.All.Say(r.Rule, r.Facts) },
	}
}

// beyond is on what a budget depends that holds something up, where it is not simulated.
func (s synced) beyond() string {
	if s.Budgets.Beyond() {
		return "Pods that are not of this target"
	}
	return ""
}

// promotes reports whether the sync changes status.currentRevision, which the
// next one goes by.
func (s synced) promotes() bool {
	return s.Decision.Status.Writes && status.Next(s.Run).CurrentRevision != s.Set.Status.CurrentRevision
}

// ripens is when ready Pods of a sync that failed, and set no timer for them, are available.
func (s synced) ripens() time.Duration {
	if s.Outcome.Err() == nil {
		return 0
	}
	if next := status.Next(s.Run); next.AvailableReplicas == next.ReadyReplicas {
		return 0
	}
	return time.Duration(s.Set.Spec.MinReadySeconds) * time.Second
}

// writesUnseen reports whether the sync writes a pod without an action of its own.
func (s synced) writesUnseen() bool {
	return slices.ContainsFunc(s.Pods, func(m *core.PodState) bool { return m.Written })
}

func (s synced) pods() []simulate.Pod {
	pods := make([]simulate.Pod, 0, len(s.Pods))
	for _, m := range s.Pods {
		revision := m.Revision
		if m.Updated {
			revision = s.Revisions.Update.Name // the label may hold the hash alone
		}
		pods = append(pods, simulate.Pod{Name: m.Ref.Name, Revision: revision, Updated: m.Updated, Ready: m.Ready, Available: m.Available})
	}
	return pods
}

// minor actions move a lifecycle on, or finish what an earlier sync began.
func minor(a decision.Action) bool {
	switch a.Verb {
	case decision.SetCondition:
		return true
	case decision.SetState:
		return a.Rule != rules.PreDeleteHooked && a.Rule != rules.UpdateHooked && a.Rule != rules.UpdateRestarted
	case decision.UpdateInPlace:
		return a.Rule == rules.GraceOver || a.Rule == rules.NextBatch
	}
	return a.Object.Kind == view.ControllerRevisions.Kind
}
