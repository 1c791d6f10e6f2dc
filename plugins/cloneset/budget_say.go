package cloneset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// barred is a pod that was chosen and that a budget stops: itself, or by
// refusing one before it.
func (s *sync) barred(r *rollout, m *core.PodState, sp order.Span) *decision.Update {
	by := r.spending.by
	if a := r.spending.asks[m]; sp.First <= r.high && a.of == by {
		return s.course(m, decision.Refused, s.refusal(r, by))
	}
	return s.course(m, decision.Waiting, decision.Ruled(rules.BudgetAhead, decision.F("budget", by.name)))
}

// refusal is why a budget says no.
func (s *sync) refusal(r *rollout, b *budget) decision.Ruling {
	facts := budgetFacts(b, r.spending.taken(r, b))
	switch {
	case b.unsaved != nil:
		return decision.Ruled(rules.BudgetUnsaved, append(facts, decision.F("error", b.unsaved.Error()))...)
	case int(b.status.UnavailableAllowed) > b.left():
		return decision.Ruled(rules.BudgetOverfull, append(facts, decision.F("limit", mostRecords))...)
	}
	return decision.Ruled(rules.BudgetExhausted, facts...)
}

// budgetFacts is the arithmetic of a budget in this sync.
func budgetFacts(b *budget, taken int) []decision.Fact {
	at := func(field string, value any) decision.Fact {
		return decision.At(field, value, b.ref.String()+" status."+field)
	}
	return []decision.Fact{
		decision.F("budget", b.name),
		at("unavailableAllowed", b.status.UnavailableAllowed),
		at("currentAvailable", b.status.CurrentAvailable), at("desiredAvailable", b.status.DesiredAvailable),
		at("unavailablePods", len(b.status.UnavailablePods)), at("disruptedPods", len(b.status.DisruptedPods)),
		decision.F("taken", taken),
	}
}

// taken is how much of a budget the chosen pods use before one is refused, at
// most where chance decides.
func (sp *spending) taken(r *rollout, b *budget) int {
	n := 0
	for _, m := range r.waiting.Places[:r.high] {
		if sp.asks[m].of == b {
			n++
		}
	}
	return min(n, b.left())
}

// allowance is what its budget says to a pod that is updated.
func (s *sync) allowance(r *rollout, m *core.PodState) *decision.Ruling {
	a, asked := r.spending.asks[m]
	why := a.why
	switch {
	case !asked:
		return nil
	case a.of != nil && a.of.unread:
		why = decision.Ruled(rules.BudgetUnread, decision.F("budget", a.of.name))
	case a.of != nil:
		facts := []decision.Fact{decision.F("budget", a.of.name)}
		if left, known := r.spending.left[m]; known {
			facts = append(facts, decision.F("left", left-1))
		}
		why = decision.Ruled(rules.BudgetTaken, facts...)
	}
	return &why
}

// showBudgets says what budgets the update asks, and looks again when one refuses.
func (s *sync) showBudgets(r *rollout) {
	seen := map[*budget]bool{}
	for _, m := range r.waiting.Places[:r.spending.chosen] {
		b := r.spending.asks[m].of
		if b == nil || b.unread || seen[b] {
			continue
		}
		seen[b] = true
		s.reason(rules.BudgetCounts, budgetFacts(b, min(b.left(), r.spending.takers[b]))...)
	}
	if r.spending.sure && s.outcome.updateErr == nil {
		s.timer(time.Second, rules.BudgetCheck, decision.F("budget", r.spending.by.name))
	}
}
