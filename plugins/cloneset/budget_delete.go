package cloneset

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// deletionBudgets warns of budgets that leave too little room for the sync's
// deletions. The controller does not ask them: Kruise's webhook does, and
// refuses (pkg/webhook/pod/validating/pod_unavailable_budget.go, v1.9.1).
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
