package lease

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
)

// Overdue is the evidence that no controller manager is alive: its Lease was
// not renewed for longer than it is valid. It is false as well when the Lease
// can't be read.
func Overdue(r *view.Reader) (decision.Evidence, bool) {
	need := view.Need{
		Kind: view.Leases, Namespace: "kube-system", Name: "kube-controller-manager",
		Without: "whether the controller manager is alive is not known",
	}
	lease, ok := view.Get[*coordinationv1.Lease](r, need)
	if !ok || lease.Spec.RenewTime == nil || lease.Spec.LeaseDurationSeconds == nil {
		return decision.Evidence{}, false
	}
	age, valid := r.Now().Sub(lease.Spec.RenewTime.Time), *lease.Spec.LeaseDurationSeconds
	if age <= time.Duration(valid)*time.Second {
		return decision.Evidence{}, false
	}
	return decision.Evidence{Source: ownership.RefTo(view.Leases, lease), Ruling: decision.Ruled(Expired,
		decision.At("age", wording.Seconds(age), "spec.renewTime"),
		decision.At("holder", ptr.Deref(lease.Spec.HolderIdentity, ""), "spec.holderIdentity"),
		decision.At("seconds", valid, "spec.leaseDurationSeconds"))}, true
}

// Nobody is the end of an answer that nobody carries out, empty otherwise.
func Nobody(found []decision.Evidence) string {
	for _, e := range found {
		if e.Rule == Expired {
			return " Nobody acts: the controller manager's lease was last renewed " + e.Facts.Brief("age") + " ago."
		}
	}
	return ""
}
