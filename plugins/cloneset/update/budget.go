package update

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// barred is a pod that was chosen and that a budget stops: itself, or by
// refusing one before it.
func (s *updating) barred(r *rollout, m *core.PodState, sp order.Span) *decision.Update {
	by := r.spending.by
	if a := r.spending.asks[m]; sp.First <= r.high && a.Of == by {
		s.Refuses(by, false)
		return s.state(m, decision.Refused, s.refusal(r, by))
	}
	return s.state(m, decision.Waiting, decision.Ruled(rules.BudgetAhead, decision.F(rules.KeyBudget, by.Name)))
}

// keptMarked notes the budgets that let none of the Pods be deleted that this sync marks for
// it, where that is sure.
func (s *updating) keptMarked(marked []*core.PodState) {
	if s.Budgets.Forbidding != nil || !s.Budgets.AnyGuarded(marked) {
		return
	}
	var all []*pubcontrol.Budget
	for _, m := range marked {
		b, unsure := s.Budgets.Guard(m)
		if b == nil || unsure || b.Left() > 0 {
			return
		}
		if !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	for _, b := range all {
		s.Refuses(b, true)
		s.Found(b.Ref, decision.Ruled(rules.BudgetKeepsMarked, b.Facts(0)...))
	}
}

// holdMarked notes of the Pods that this sync marks which ones a later sync may not delete: the
// preDelete hook holds them, or a budget has no room for all that ask it. A budget that was asked
// about the update has them on record, and lets them pass.
func (s *updating) holdMarked(r *rollout) {
	asking := map[*pubcontrol.Budget]int{}
	by := make([]*pubcontrol.Budget, len(s.marks))
	for i, m := range s.marks {
		a := s.Budgets.AsksDeletion(m.PodState)
		if by[i] = a.Of; a.Of == nil || a.Of == r.spending.asks[m.PodState].Of {
			by[i] = nil
			continue
		}
		if asking[a.Of]++; a.Unsure || a.Of.Stale {
			asking[a.Of] += pubcontrol.MostRecords
		}
	}
	for i, m := range s.marks {
		_, hooked := s.Set.DeleteHook().Holding(m.Pod)
		if hooked || by[i] != nil && asking[by[i]] > by[i].Left() {
			s.Decision.Hold(m.action)
		}
	}
}

// refusal is why a budget says no.
func (s *updating) refusal(r *rollout, b *pubcontrol.Budget) decision.Ruling {
	facts := b.Facts(r.spending.taken(r, b))
	switch {
	case b.Unsaved != nil:
		return decision.Ruled(rules.BudgetUnsaved, append(facts, decision.F(rules.KeyError, b.Unsaved.Error()))...)
	case b.Overfull():
		return decision.Ruled(rules.BudgetOverfull, append(facts, decision.F(rules.KeyLimit, pubcontrol.MostRecords))...)
	}
	return decision.Ruled(rules.BudgetExhausted, facts...)
}

// taken is how much of a budget the chosen pods use before one is refused, at
// most where chance decides.
func (sp *spending) taken(r *rollout, b *pubcontrol.Budget) int {
	n := 0
	for _, m := range r.waiting.Places[:r.high] {
		if sp.asks[m].Of == b {
			n++
		}
	}
	return min(n, b.Left())
}

// allowance is what its budget says to a pod that is updated.
func (s *updating) allowance(r *rollout, m *core.PodState) *decision.Ruling {
	a, asked := r.spending.asks[m]
	why := a.Why
	switch {
	case !asked:
		return nil
	case a.Of != nil && a.Of.Unread:
		why = decision.Ruled(rules.BudgetUnread, decision.F(rules.KeyBudget, a.Of.Name))
	case a.Of != nil:
		facts := []decision.Fact{decision.F(rules.KeyBudget, a.Of.Name)}
		if left, known := r.spending.left[m]; known {
			facts = append(facts, decision.F(rules.KeyLeft, left-1))
		}
		why = decision.Ruled(rules.BudgetTaken, facts...)
	}
	return &why
}

// showBudgets says what budgets the update asks, and looks again when one refuses.
func (s *updating) showBudgets(r *rollout) {
	seen := map[*pubcontrol.Budget]bool{}
	for _, m := range r.waiting.Places[:r.spending.chosen] {
		b := r.spending.asks[m].Of
		if b == nil || b.Unread || seen[b] {
			continue
		}
		seen[b] = true
		s.Reason(rules.BudgetCounts, b.Facts(min(b.Left(), r.spending.takers[b]))...)
	}
	if r.spending.sure && s.Outcome.UpdateErr == nil {
		s.Timer(time.Second, rules.BudgetCheck, decision.F(rules.KeyBudget, r.spending.by.Name))
	}
}
