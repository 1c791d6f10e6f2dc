package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// chargeUpdate charges an update to the budget that lets it through.
func (s *sync) chargeUpdate(r *rollout, m *core.PodState) int {
	b := r.spending.asks[m].Of
	if b == nil || b.Unread {
		return 0
	}
	r.spending.takers[b]++
	return s.log.Add(s.budgets.ChargeUpdate(m.Name, b))
}

// chargeWith lets a charge hang on the update that it is for, where chance decides on
// that. One that may be refused is not on the path that is followed.
func (s *sync) chargeWith(charge int, u *decision.Update) {
	switch {
	case charge == 0 || u.Choice == nil:
	case u.Course == decision.Refused:
		*s.log = (*s.log)[:charge-1]
	default:
		(*s.log)[charge-1].With = s.d.Actions[len(s.d.Actions)-1].Write
	}
}

// deletes are the requests that delete a Pod: Kruise's webhook charges the budget
// that lets it through.
func (s *sync) deletes(m *core.PodState) []cluster.Write {
	request := kruise.Deletion(view.Pods, m.Ref)
	if s.log != nil && s.behaviour.DeletionBudgets {
		if b, _ := s.budgets.Guard(m); b != nil {
			return []cluster.Write{s.budgets.ChargeDeletion(m.Name, b), request}
		}
	}
	return []cluster.Write{request}
}

// askedBudgets are the PodUnavailableBudgets that the sync asks, and what they say.
type askedBudgets struct {
	*pubcontrol.Control
	// refusing is the one that stops the update, empty for none.
	refusing string
	// mayRefuse: whether one stops the update is not deterministic, or not known.
	mayRefuse bool
	// forbidding is the one that stops deletions, nil for none.
	forbidding *pubcontrol.Budget
	// mayForbid is one of which that is not deterministic, or not known, nil for none.
	mayForbid *pubcontrol.Budget
}

// beyond reports whether a budget holds up an update or a deletion which counts
// more than the set's own pods: when it allows one again is not simulated.
func (s *sync) beyond() bool {
	return s.budgets.CountsMore(s.budgets.refusing) || s.budgets.forbidding != nil && s.budgets.CountsMore(s.budgets.forbidding.Name)
}
