package pubcontrol

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// charge is the request that charges a Pod to a budget, and puts it on the record
// that in returns (checkAndDecrement of pkg/control/pubcontrol/pub_control_utils.go,
// v1.9.1).
func (c *Control) charge(pod, budget string, in func(*budgetStatus) *stamps) cluster.Write {
	return cluster.Write{
		Verb: cluster.Update, Kind: view.PodUnavailableBudgets, Status: true, Namespace: c.set.GetNamespace(), Name: budget,
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
			(*record)[pod] = kruise.Stamp(c.r.Now())
			return b.stored()
		},
	}
}

// ChargeUpdate returns the request that charges the update of a Pod to a budget.
func (c *Control) ChargeUpdate(pod string, b *Budget) cluster.Write {
	return c.charge(pod, b.Name, func(st *budgetStatus) *stamps { return &st.UnavailablePods })
}

// ChargeDeletion returns the one that charges a deletion.
func (c *Control) ChargeDeletion(pod string, b *Budget) cluster.Write {
	return c.charge(pod, b.Name, func(st *budgetStatus) *stamps { return &st.DisruptedPods })
}
