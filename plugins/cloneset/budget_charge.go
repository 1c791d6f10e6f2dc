package cloneset

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// charge is the request that charges a Pod to a budget, and puts it on the record
// that in returns (checkAndDecrement of pkg/control/pubcontrol/pub_control_utils.go,
// v1.9.1).
func (s *sync) charge(pod, budget string, in func(*budgetStatus) *stamps) cluster.Write {
	return cluster.Write{
		Verb: cluster.Update, Kind: view.PodUnavailableBudgets, Status: true, Namespace: s.set.GetNamespace(), Name: budget,
		Stored: func(now metav1.Object) metav1.Object {
			b, ok := countedOf(now)
			if !ok {
				return now
			}
			b.status.UnavailableAllowed--
			record := in(&b.status)
			if *record == nil {
				*record = stamps{}
			}
			(*record)[pod] = s.stamp()
			return b.stored()
		},
	}
}

// chargeUpdate charges an update to the budget that lets it through.
func (s *sync) chargeUpdate(r *rollout, m *core.PodState) int {
	b := r.spending.asks[m].of
	if b == nil || b.unread {
		return 0
	}
	r.spending.takers[b]++
	return s.log.Add(s.charge(m.Name, b.name, func(st *budgetStatus) *stamps { return &st.UnavailablePods }))
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
		if b, _ := s.guard(m); b != nil {
			return []cluster.Write{s.charge(m.Name, b.name, func(st *budgetStatus) *stamps { return &st.DisruptedPods }), request}
		}
	}
	return []cluster.Write{request}
}
