package update

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// rollout is the update step of one sync.
type rollout struct {
	diffs core.Diffs
	// target is the revision that pods are moved to.
	target *revision.Revision
	// waiting are the pods to update in their order, chosen how many of them
	// are updated in this sync: between low and high by the order of ties.
	waiting   order.Queue
	low, high int
	// stop is why the pod behind the last chosen one is not updated, kept why
	// those are not that the partition leaves.
	stop, kept decision.Ruling
	// refused is the first Pod at which the sync fails, nil for none.
	refused *core.PodState
	// spending is what budgets say to those that are chosen.
	spending spending
}

// updating is the run whose Pods are updated.
type updating struct {
	*reconcile.Run
	// updated is what is said of updated Pods.
	updated rulings
	// changed is of how many Pods it is told what is changed in them.
	changed int
	// marks are the Pods that are marked for deletion, each with the number of its action.
	marks []mark
	// claims are the volume claims by the instance ID of their Pod, nil before they are asked for.
	claims map[string][]decision.Ref
	// told are the states that are on record, each with its rule, where the decision is not
	// shown: one Pod of each is enough. unsaid is what is said of the others.
	told   map[stateAndRule]bool
	unsaid decision.Update
}

// stateAndRule is what becomes of a Pod, and by which rule.
type stateAndRule struct {
	state decision.UpdateState
	rule  string
}

// mark is a Pod that is marked for deletion.
type mark struct {
	*core.PodState
	action int
}

// Update mirrors Update (sync/cloneset_update.go, v1.9.1).
func Update(run *reconcile.Run) { begin(run).update() }

func begin(run *reconcile.Run) *updating {
	return &updating{Run: run, updated: rulings{}, told: map[stateAndRule]bool{}}
}

// Skip records that a sync that scales updates no Pod, or that later ones do not either.
func Skip(run *reconcile.Run) {
	s := begin(run)
	switch {
	case s.onDelete():
		s.states(rules.OnDeleteIgnored)
	case s.Set.Spec.UpdateStrategy.Paused:
		s.postpone(rules.UpdatePaused)
	default:
		s.postpone(rules.ScaledInstead)
	}
}

// onDelete reports whether the update step ends at once.
func (s *updating) onDelete() bool {
	return s.Set.Spec.UpdateStrategy.Type == api.OnDelete && s.Behaviour.OnDelete
}

func (s *updating) update() {
	if s.onDelete() {
		s.Limit(rules.OnDeleteIgnored)
		s.states(rules.OnDeleteIgnored)
		return
	}
	s.refresh()
	switch {
	case s.Outcome.UpdateErr != nil:
		s.states(rules.RefreshFailed)
		return
	case s.Outcome.Modified:
		s.states(rules.RefreshedInstead)
		return
	case s.Set.Spec.UpdateStrategy.Paused:
		s.postpone(rules.UpdatePaused)
		s.preparingStays("updates are paused")
		return
	}
	fresh, old := core.GroupPods(s.Pods, true)
	r := &rollout{diffs: core.CalculateDiffs(s.Limits, fresh, old), target: s.Revisions.Update}
	s.ExplainUpdate(r.diffs, fresh, old)
	if r.diffs.UpdateNum < 0 {
		r.target = s.Revisions.Current
	}
	if r.diffs.UpdateNum == 0 {
		s.states(rules.PartitionKept)
		s.preparingStays("the partition keeps the revision")
		s.reasons(r)
		return
	}
	r.kept = decision.Ruled(rules.PartitionKept, s.partitionFacts()...)
	if waiting := s.candidates(r); s.Reader.Brief() && s.allWait(r, waiting) {
		r.waiting = order.Unsorted(waiting)
	} else {
		r.waiting = s.Sorter().Queue(waiting, s.Pods)
	}
	s.Chance.OrderLoosely(r.waiting.Loose)
	s.limitUpdates(r)
	s.spend(r)
	s.updatePods(r)
	if num := min(core.Abs(r.diffs.UpdateNum), len(r.waiting.Places)); r.high < num {
		s.roll(r.waiting.Places[r.high:num], r.target)
	}
	s.surge(len(s.Pods))
	s.reasons(r)
}

// preparingStays notes the Pods whose update began and does not go on: only those that
// were updated meanwhile leave PreparingUpdate (refreshPodState).
func (s *updating) preparingStays(why string) {
	var names []string
	for _, m := range s.Pods {
		if m.State == kruise.PreparingUpdate && !m.Updated {
			names = append(names, m.Ref.Name)
		}
	}
	if n := len(names); n > 0 {
		s.Limit(rules.PreparingStays, decision.F(rules.KeyPods, format.Some(names[:min(n, mostNamed)], n)), decision.F(rules.KeyCount, n), decision.F(rules.KeyWhy, why))
	}
}

// mostNamed is how many Pods are named that something holds.
const mostNamed = 3

// postpone records why no Pod is updated now: where no later sync updates one either, that
// the partition keeps them.
func (s *updating) postpone(why string) {
	if with, without := s.dueLater(); with == 0 && without == 0 {
		why = rules.PartitionKept
	}
	waiting := s.states(why)
	if why == rules.ScaledInstead {
		s.whyThisWay(s.Revisions.Update, waiting)
	}
}

// states records every Pod that is not updated as waiting for one reason, or as kept, if
// this sync does not delete it, and returns these.
func (s *updating) states(why string) (outdated []*core.PodState) {
	deleted := s.Deleted()
	var queued []*core.PodState
	for _, m := range s.Pods {
		if m.Updated || deleted[m.Ref] {
			continue
		}
		if outdated = append(outdated, m); apart(m) == "" && (!m.Specified || why != rules.ScaledInstead) {
			queued = append(queued, m)
		}
	}
	if why != rules.UpdatePaused && why != rules.OnDeleteIgnored && why != rules.PartitionKept {
		s.rollOn(queued)
	}
	l := s.laterOf(why, queued)
	ruling := decision.Ruled(why, s.partitionFacts()...)
	for _, m := range s.Pods {
		switch {
		case m.Updated:
			s.state(m, decision.Updated, s.updatedRuling(m))
		case deleted[m.Ref]:
		case apart(m) != "" && why != rules.PartitionKept:
			s.state(m, decision.Waiting, ruling)
		case m.Specified && why == rules.ScaledInstead:
			s.state(m, decision.Waiting, decision.Ruled(rules.SpecifiedDelete)).Certainty = decision.Possible
		default:
			l.state(s, m, ruling)
		}
	}
	return outdated
}

func (s *updating) partitionFacts() []decision.Fact {
	return []decision.Fact{
		decision.At(rules.KeyPartition, s.Limits.Partition, s.Set.Ref.String()+" spec.updateStrategy.partition"),
		decision.F(rules.KeyReplicas, s.Limits.Replicas),
	}
}

// state records what becomes of a Pod.
//
//go:noinline // it is called at many places
func (s *updating) state(m *core.PodState, to decision.UpdateState, why decision.Ruling) *decision.Update {
	u := decision.Update{Object: m.Ref, Revision: m.Revision, State: to, Certainty: decision.Certain, Ruling: why}
	if said := (stateAndRule{to, why.Rule}); s.Reader.Brief() {
		if s.told[said] {
			s.unsaid = u
			return &s.unsaid
		}
		s.told[said] = true
	}
	return s.Decision.Update(u)
}

// rulings are those that are told of many Pods alike, each made once.
type rulings map[[3]string]decision.Ruling

func (r rulings) once(key [3]string, ruled func() decision.Ruling) decision.Ruling {
	made, ok := r[key]
	if !ok {
		made = ruled()
		r[key] = made
	}
	return made
}

// updatedRuling is told of most pods alike, and made once.
func (s *updating) updatedRuling(m *core.PodState) decision.Ruling {
	rule := rules.PodUpdated
	switch {
	case m.State == kruise.Updating:
		rule = rules.UpdateInProgress
	case !m.Available:
		rule = rules.UpdatedUnavailable
	}
	key := [3]string{rule, m.Revision, m.State}
	return s.updated.once(key, func() decision.Ruling {
		return decision.Ruled(rule, decision.At(rules.KeyRevision, m.Revision, "metadata.labels["+kruise.RevisionLabel+"]"), decision.F(rules.KeyState, m.State))
	})
}

// candidates are the pods that this sync may update; the others are recorded
// with the reason.
func (s *updating) candidates(r *rollout) []*core.PodState {
	var waiting []*core.PodState
	for _, m := range s.Pods {
		onTarget := !m.Updated
		if r.diffs.UpdateNum > 0 {
			onTarget = m.Updated
		}
		switch {
		case onTarget:
			s.state(m, decision.Updated, s.updatedRuling(m))
		case apart(m) != "":
			s.state(m, decision.Waiting, decision.Ruled(apart(m)))
		default:
			waiting = append(waiting, m)
		}
	}
	return waiting
}

// apart is the rule by which a Pod is not among those to update, empty for one that is.
func apart(m *core.PodState) string {
	switch {
	case m.State == kruise.PreparingDelete:
		return rules.BeingDeleted
	case m.State != kruise.Updated && m.Grace != "":
		return rules.InGrace
	}
	return ""
}

// allWait reports whether no Pod is updated in any order, and the partition keeps none of
// those that wait.
func (s *updating) allWait(r *rollout, waiting []*core.PodState) bool {
	if core.Abs(r.diffs.UpdateNum) < len(waiting) || len(s.Set.Spec.UpdateStrategy.ScatterStrategy) > 0 {
		return false
	}
	unavailable, onTarget := s.unavailable(r.target)
	if onTarget >= r.diffs.UpdateMaxUnavailable {
		return true
	}
	return unavailable >= r.diffs.UpdateMaxUnavailable && !slices.ContainsFunc(waiting, func(m *core.PodState) bool { return !m.Available })
}

// limitUpdates mirrors limitUpdateIndexes. The number of pods chosen depends
// on whether available ones come first among those that tie.
func (s *updating) limitUpdates(r *rollout) {
	r.low, r.stop = s.chosen(r, r.waiting.Availability(true))
	var other decision.Ruling
	r.high, other = s.chosen(r, r.waiting.Availability(false))
	if r.high < r.low {
		r.low, r.high = r.high, r.low
	}
	if r.stop.Rule == "" {
		r.stop = other
	}
}

// chosen is how many pods are updated when their availability comes in this
// order, and why no more.
func (s *updating) chosen(r *rollout, available []bool) (int, decision.Ruling) {
	num, limit := core.Abs(r.diffs.UpdateNum), r.diffs.UpdateMaxUnavailable
	unavailable, onTarget := s.unavailable(r.target)
	facts := func() []decision.Fact {
		return []decision.Fact{decision.F(rules.KeyUpdateMaxUnavailable, limit), decision.F(rules.KeyUnavailable, unavailable), decision.F(rules.KeyTargetUnavailable, onTarget)}
	}
	for count := range available {
		if count >= num {
			return count, r.kept
		}
		if onTarget+count >= limit {
			return count, decision.Ruled(rules.TargetUnavailable, append(facts(), decision.F(rules.KeyCount, count))...)
		}
		if available[count] {
			if unavailable >= limit {
				return count, decision.Ruled(rules.MaxUnavailableReached, facts()...)
			}
			unavailable++
		}
	}
	return len(available), decision.Ruling{}
}

// unavailable counts the pods that are not available, and those of them that
// carry the target.
func (s *updating) unavailable(target *revision.Revision) (all, onTarget int) {
	for _, m := range s.Pods {
		if m.Available {
			continue
		}
		all++
		if m.Carries(target.Name) {
			onTarget++
		}
	}
	return all, onTarget
}
