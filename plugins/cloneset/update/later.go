package update

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// laterUpdates are which of the Pods that this sync does not update are updated by later ones, as
// far as the partition lets them: of those that tie, which ones it keeps is not deterministic.
type laterUpdates struct {
	kept decision.Ruling
	// before counts the places of a class that come before the partition, size all.
	before, size map[int]int
	// left is how many Pods later syncs update, some whether the partition keeps others.
	left int
	some bool
	// surplus: later syncs delete Pods, and which ones decides which are updated. reordered: they may
	// update others than those that come before the partition in this one.
	surplus, reordered bool
}

// laterOf is that of Pods that wait for one reason. Of those that are named for deletion, and not
// deleted yet, it is not known whether later syncs update one before it is deleted, and then
// another one after it.
func (s *updating) laterOf(why string, queued []*core.PodState) (l laterUpdates) {
	num, differs := len(queued), false
	if why != rules.OnDeleteIgnored {
		if with, without := s.dueLater(); with >= 0 && without >= 0 {
			num, differs = without, with != without
		}
	}
	if num == 0 || num >= len(queued) { // whatever their order is
		l = s.laterIn(order.Unsorted(queued), num)
	} else {
		l = s.laterIn(s.Sorter().Queue(queued, s.Pods), num)
	}
	l.surplus = l.surplus || differs
	return l
}

func (s *updating) laterIn(q order.Queue, num int) laterUpdates {
	l := laterUpdates{
		kept: decision.Ruled(rules.PartitionKept, s.partitionFacts()...), before: map[int]int{}, size: map[int]int{},
		left: num, some: num < len(q.Places), surplus: len(s.Pods)-len(s.Deleted()) > s.Limits.Replicas, reordered: s.reorders(),
	}
	for i, m := range q.Places {
		l.size[m.Class]++
		if i < num {
			l.before[m.Class]++
		} else {
			l.reordered = l.reordered || !steady(m)
		}
	}
	return l
}

// reorders reports whether the spec lets a later sync find another order of the same Pods: how
// they are scattered depends on how many there are, and those that a surge replaces are chosen
// in the order of deletions.
func (s *updating) reorders() bool {
	u := &s.Set.Spec.UpdateStrategy
	surge := 0
	if u.MaxSurge != nil { // also while it is paused
		surge, _ = api.Percent(u.MaxSurge, s.Limits.Replicas, true)
	}
	return surge > 0 || len(u.ScatterStrategy) > 0
}

// steady reports whether a Pod stays behind those before it: one that becomes ready meanwhile
// comes before those that are ready for longer.
func steady(m *core.PodState) bool {
	return m.PodReady && m.Pod.Status.Phase == corev1.PodRunning && m.Pod.Spec.NodeName != ""
}

// state records that a Pod waits, or is kept.
func (l *laterUpdates) state(s *updating, m *core.PodState, why decision.Ruling) *decision.Update {
	k, n, to := l.before[m.Class], l.size[m.Class], decision.Waiting
	if k == 0 {
		to, why = decision.Kept, l.kept
		if !l.surplus { // else fewer stay
			s.Decision.Rollout.Keep(m.Revision)
		}
	}
	u := s.state(m, to, why)
	switch {
	case 0 < k && k < n:
		u.Certainty, u.Choice = decision.Possible, &decision.Choice{Of: "later update", K: k, N: n}
	case l.open(m) && (l.some || to == decision.Kept):
		u.Certainty = decision.Possible
	}
	return u
}

// open reports whether later syncs choose again which Pods are updated and which are kept, or
// delete this one.
func (l *laterUpdates) open(m *core.PodState) bool {
	return l.surplus || l.reordered && l.left > 0 || m.Specified || m.State == kruise.PreparingDelete
}

// done notes that this sync updates a Pod.
func (l *laterUpdates) done(u *decision.Update) {
	if u.State == decision.InPlace && u.Certainty == decision.Certain {
		l.left--
	}
}
