package update

import (
	"cmp"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// updatePods is the last step of Update: one pod after the other, until one
// fails (sync/cloneset_update.go, v1.9.1).
func (s *updating) updatePods(r *rollout) {
	spans := r.waiting.Spans()
	share, sorter := r.share(spans), s.Sorter()
	later := s.laterIn(r.waiting, core.Abs(r.diffs.UpdateNum))
	var marked []*core.PodState
	for i, m := range r.waiting.Places {
		sp := spans[m.Class]
		always, sometimes := r.waiting.Certainty(sp, r.low, r.high)
		var u *decision.Update
		switch {
		case !sometimes && sp.First >= r.spending.chosen:
			u = later.state(s, m, s.stops(r, m))
		case !sometimes && r.refused == nil:
			u = s.barred(r, m, sp)
		case s.endsAhead(r, m):
			u = s.state(m, decision.Waiting, s.stops(r, m))
		default:
			charged := s.chargeUpdate(r, m)
			if always && r.refused == nil {
				u = s.updateOne(r, m, nil)
			} else {
				u = s.updateOne(r, m, share)
			}
			s.chargeWith(charged, u)
			if u.State == decision.Refused && r.refused == nil {
				r.refused = m
			}
			u.Budget = s.allowance(r, m)
			later.done(u)
		}
		if u.State == decision.Recreated {
			marked = append(marked, m)
		}
		u.Place = i + 1
		if sp.First != sp.Last {
			u.Place = sp.First + 1
		}
		if i < mostOrdered {
			u.Order = sorter.Why(&r.waiting, i)
		}
	}
	s.Chance.Fail(r.refused != nil && r.waiting.Shared(r.refused))
	s.keptMarked(marked)
	s.holdMarked(r)
	s.showBudgets(r)
	if grace := s.Set.Spec.UpdateStrategy.InPlaceUpdateStrategy; grace != nil && grace.GracePeriodSeconds > 0 && s.started(decision.InPlace) {
		s.Timer(time.Duration(grace.GracePeriodSeconds)*time.Second, rules.GraceCheck, decision.F(rules.KeyPod, ""))
	}
}

// endsAhead reports whether the sync fails before it comes to a Pod.
func (s *updating) endsAhead(r *rollout, m *core.PodState) bool {
	return r.refused != nil && s.Outcome.UpdateErr != nil && r.refused.Class != m.Class
}

// stops says why a Pod is not updated that comes behind the last chosen one, or the refused one.
func (s *updating) stops(r *rollout, m *core.PodState) decision.Ruling {
	if s.endsAhead(r, m) {
		return decision.Ruled(rules.RefusedAhead, decision.F(rules.KeyPod, r.refused.Ref.Name))
	}
	return r.stop
}

// mostOrdered is of how many Pods it is told why they are updated in their order, and
// mostChanged of how many what is changed in them.
const (
	mostOrdered = 100
	mostChanged = 10
)

// share is how many places the pods that tie across the limit have.
func (r *rollout) share(spans []order.Span) *decision.Choice {
	c := &decision.Choice{Of: "update", K: r.high, AtMost: r.low < r.high}
	for _, m := range r.waiting.Places {
		switch always, sometimes := r.waiting.Certainty(spans[m.Class], r.low, r.high); {
		case always:
			c.K--
		case sometimes:
			c.N++
		}
	}
	return c
}

func (s *updating) started(c decision.UpdateState) bool {
	for _, u := range s.Decision.Updates {
		if u.State == c {
			return true
		}
	}
	return false
}

// updateOne mirrors updatePod.
func (s *updating) updateOne(r *rollout, m *core.PodState, share *decision.Choice) *decision.Update {
	before, actions := s.Outcome.UpdateErr, len(s.Decision.Actions)
	u := s.stateOf(r, m, share)
	switch {
	case share == nil:
	case len(s.Decision.Actions) == actions && u.State != decision.Refused:
		// The pod may take a place of one that ties, and nothing happens to it.
		share.N, share.AtMost = share.N-1, true
		share.K = min(share.K, share.N)
	default:
		u.Certainty, u.Choice = decision.Possible, share
		s.Chance.Fail(u.State == decision.Refused)
		s.Outcome.UpdateFails(before)
	}
	return u
}

func (s *updating) stateOf(r *rollout, m *core.PodState, share *decision.Choice) *decision.Update {
	if s.Set.InPlace() && s.Revisions.Unread && (s.Behaviour.RecreateOnClaims || s.Revisions.Of(m) == nil) {
		return s.eitherWay(r, m, share)
	}
	if s.Decision.Rollout.Doubted {
		share = orShare(m, share, true)
	}
	if s.Set.InPlace() {
		old := s.Revisions.Of(m)
		change := s.Changes.Between(old, r.target)
		if change.Forbidden == "" {
			return s.updateInPlace(r, m, change, share)
		}
		if s.Set.Spec.UpdateStrategy.Type == api.InPlaceOnly {
			s.Outcome.UpdateFails(fmt.Errorf("find Pod %s update strategy is InPlaceOnly but can not update in-place", m.Ref.Name))
			return s.state(m, decision.Refused, decision.Ruled(rules.InPlaceOnlyRefused, change.Facts()...))
		}
		return s.recreate(m, share, rules.RecreateNotInPlace, change.Facts()...)
	}
	return s.recreate(m, share, rules.RecreateAlways, decision.At(rules.KeyType, cmp.Or(s.Set.Spec.UpdateStrategy.Type, api.Recreate), s.Set.Ref.String()+" spec.updateStrategy.type"))
}

// eitherWay updates a Pod of which it is not known whether that is possible in place.
// Where it is recreated, that is what a simulation follows.
func (s *updating) eitherWay(r *rollout, m *core.PodState, share *decision.Choice) *decision.Update {
	why, requests := decision.Ruled(rules.RevisionNotRead), s.updates(m, inplace.Change{}, nil, r.target)
	inPlaceOnly := s.Set.Spec.UpdateStrategy.Type == api.InPlaceOnly
	share = orShare(m, share, s.Decision.Rollout.Doubted || inPlaceOnly || m.Marked)
	if inPlaceOnly || m.Marked {
		return s.do(decision.UpdateInPlace, m, decision.InPlace, r.target.Name, why, share, requests...)
	}
	u := s.recreate(m, share, rules.RevisionNotRead)
	if u.State == decision.Recreated {
		_ = s.act(decision.UpdateInPlace, m, r.target.Name, why, share, requests) // noted by the outcome
	}
	return u
}

// orShare is the choice that a Pod shares with others, or one of its own; atMost tells that
// nothing may be done to it.
func orShare(m *core.PodState, share *decision.Choice, atMost bool) *decision.Choice {
	if share == nil {
		share = &decision.Choice{Of: m.Ref.Name, K: 1, N: 1}
	}
	share.AtMost = share.AtMost || atMost
	return share
}

// recreate marks the pod for deletion; a later sync deletes it, and one after
// that creates its replacement.
func (s *updating) recreate(m *core.PodState, share *decision.Choice, rule string, facts ...decision.Fact) *decision.Update {
	why := decision.Ruled(rule, facts...)
	if m.Marked {
		return s.state(m, decision.Waiting, decision.Ruled(rules.RecreateMarked, decision.F(rules.KeyBudget, s.forbidding()), decision.F(rules.KeyError, s.uncreated())))
	}
	return s.do(decision.Recreate, m, decision.Recreated, "", why, share, reconcile.Once(kruise.WritePod(cluster.Patch, m.Pod, func(p *corev1.Pod) {
		p.Labels[api.SpecifiedLabel] = "true"
	})))
}

// forbidding is the budget at which the deletions of this sync end, empty for none.
func (s *updating) forbidding() string {
	if s.Budgets.Forbidding == nil {
		return ""
	}
	return s.Budgets.Forbidding.Name
}

// uncreated is why Pods are refused that are to be created before any is deleted; empty for
// none.
func (s *updating) uncreated() string {
	if s.Outcome.ScaleErr == nil || s.Outcome.Uncreated.Rule == "" {
		return ""
	}
	return s.Outcome.ScaleErr.Error()
}

// do records an action of the rollout, and what it makes of the Pod.
func (s *updating) do(verb decision.Verb, m *core.PodState, c decision.UpdateState, into string, why decision.Ruling, share *decision.Choice, requests ...reconcile.Request) *decision.Update {
	if err := s.act(verb, m, into, why, share, requests); err != nil {
		return s.state(m, decision.Refused, decision.Ruled(rules.UpdateFailed, decision.F(rules.KeyError, err.Error())))
	}
	return s.state(m, c, why)
}

// act records an action of the rollout, and the version that it leaves.
func (s *updating) act(verb decision.Verb, m *core.PodState, into string, why decision.Ruling, share *decision.Choice, requests []reconcile.Request) error {
	write, err := s.Send(requests...)
	if err != nil {
		s.Outcome.UpdateFails(err)
		return err
	}
	a := reconcile.Action(verb, m.Ref, why)
	a.Into = into
	s.changes(&a, m, requests[len(requests)-1])
	if verb == decision.Recreate { // the sync that deletes the Pod deletes them with it (deletePods, sync/cloneset_scale.go, v1.9.1)
		a.Collects = s.claimsOf(m)
	}
	s.Does(a, write)
	if verb == decision.Recreate {
		s.marks = append(s.marks, mark{m, len(s.Decision.Actions) - 1})
	}
	if share != nil {
		s.Share(share)
		s.Chance.CountOpened(verb == decision.Recreate && m.Opened)
	} else if verb == decision.Recreate {
		s.reread(m)
	}
	s.Record.Version(m.Ref.Name)
	return nil
}

// updateInPlace goes by the pod's state: hooks come before the update.
func (s *updating) updateInPlace(r *rollout, m *core.PodState, c inplace.Change, share *decision.Choice) *decision.Update {
	by, held := s.Set.UpdateHook().Holding(m.Pod)
	hookFacts := []decision.Fact{decision.F(rules.KeyHook, by), decision.At(rules.KeyFrom, m.State, "metadata.labels["+kruise.StateLabel+"]"), decision.F(rules.KeyTo, kruise.PreparingUpdate)}
	switch m.State {
	case "", kruise.PreparingNormal, kruise.Normal:
		if held {
			why := decision.Ruled(rules.UpdateHooked, hookFacts...)
			return s.do(decision.SetState, m, decision.Preparing, kruise.PreparingUpdate, why, share, s.Moves(m, kruise.PreparingUpdate)...)
		}
	case kruise.Updated: // with a hook: without one, the refresh has made it Normal
		why := decision.Ruled(rules.UpdateRestarted, hookFacts...)
		return s.do(decision.SetState, m, decision.Preparing, kruise.PreparingUpdate, why, share, s.movesBack(m)...)
	case kruise.PreparingUpdate:
		if held {
			s.Hooked(m.Ref.Name, "inPlaceUpdate", by+" is set")
			return s.state(m, decision.Waiting, decision.Ruled(rules.HookHolds, hookFacts...))
		}
	case kruise.Updating:
	default:
		s.Outcome.UpdateFails(fmt.Errorf("not allowed to in-place update pod %s in state %s", m.Ref.Name, m.State))
		return s.state(m, decision.Refused, decision.Ruled(rules.StateRefused, decision.F(rules.KeyState, m.State)))
	}
	why := decision.Ruled(rules.InPlaceUpdate, append(c.Facts(), decision.F(rules.KeyRevision, r.target.Name), decision.F(rules.KeyLater, format.List(s.later(m, c, r.target))), decision.F(rules.KeySeconds, fmt.Sprint(int(s.Set.Grace().Seconds()))))...)
	return s.do(decision.UpdateInPlace, m, decision.InPlace, r.target.Name, why, share, s.updates(m, c, s.Revisions.Of(m), r.target)...)
}

// later are the containers that this write leaves for a later batch; with a grace
// period it changes none yet.
func (s *updating) later(m *core.PodState, c inplace.Change, to *revision.Revision) []string {
	if s.Set.Grace() > 0 || cluster.LaunchBatchesOf(m.Pod) == 0 {
		return nil
	}
	u := c.Containers(&to.Template)
	return u.Without(u.FirstBatch(m.Pod)).Names()
}

// reread mirrors that PatchPodSpecifiedDelete reads the API server's answer
// into the pod that status is counted from: a condition that this sync has set
// before shows there, and nowhere else (pkg/util/specifieddelete, v1.9.1).
func (s *updating) reread(m *core.PodState) {
	if m.Opened {
		m.Judge(s.Set.Spec.MinReadySeconds, s.Now)
	}
}
