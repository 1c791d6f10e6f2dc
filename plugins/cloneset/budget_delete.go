package cloneset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// allForbidden is the answer to the first deletion if budgets that are used up
// forbid that of every pod. The controller does not ask budgets: Kruise's webhook
// does (pkg/webhook/pod/validating/pod_unavailable_budget.go, v1.9.1).
func (s *sync) allForbidden(pods []*member) error {
	if !s.behaviour.deletionBudgets || len(pods) == 0 {
		return nil
	}
	var by []*budget
	for _, m := range pods {
		b := s.forbids(m)
		if b == nil {
			return nil
		}
		if !slices.Contains(by, b) {
			by = append(by, b)
		}
	}
	var names []string
	for _, b := range by {
		s.limit(BudgetForbids, budgetFacts(b, 0)...)
		names = append(names, b.name)
	}
	return fmt.Errorf("PodUnavailableBudget %s does not let a pod be deleted", strings.Join(names, " or "))
}

// forbids is the budget that surely refuses a pod's deletion, nil for none.
func (s *sync) forbids(m *member) *budget {
	if _, held := s.set.deleteHook().hooked(m.Pod); held {
		return nil
	}
	a := s.asks(m, onDeletion)
	if a.of == nil || a.of.unread || a.unsure || a.of.left() > 0 {
		return nil
	}
	return a.of
}

// deletionBudgets warns of budgets that let some of the sync's deletions through,
// but not all: with the first that is refused the sync fails.
func (s *sync) deletionBudgets() {
	if !s.behaviour.deletionBudgets {
		return
	}
	certain, possible, share := map[*budget]int{}, map[*budget]int{}, 0
	var asked []*budget
	for _, a := range s.d.Actions {
		if a.Verb != decision.Delete || a.Object.Kind != view.Pods.Kind {
			continue
		}
		m := s.member(a.Object.Name)
		if m == nil {
			continue
		}
		b := s.asks(m, onDeletion).of
		switch {
		case b == nil || b.unread:
			continue
		case a.Choice != nil:
			possible[b]++
			share = a.Choice.K
		default:
			certain[b]++
		}
		if !slices.Contains(asked, b) {
			asked = append(asked, b)
		}
	}
	for _, b := range asked {
		if n, left := certain[b]+min(possible[b], share), b.left(); n > left {
			s.d.AddCaveat("BudgetRefusesDeletion", fmt.Sprintf(
				"Kruise's webhook asks PodUnavailableBudget %s before each deletion of its pods: as it is counted now it allows %d of %d, and refuses the next one, with which the sync fails", b.name, left, n))
		}
	}
}
