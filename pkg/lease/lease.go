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

// Program is one whose controllers act while it holds its Lease.
type Program struct {
	Process string
	Lease   view.Need
}

// The programs whose controllers are modelled.
var (
	ControllerManager = Program{"controller manager", view.Need{Kind: view.Leases, Namespace: "kube-system", Name: "kube-controller-manager"}}
	KruiseManager     = Program{"kruise-manager", view.Need{Kind: view.Leases, Namespace: "kruise-system", Name: "kruise-manager"}}
)

// Vacant tells that nobody holds a Lease now: its holder let go of it, or did
// not renew it for longer than it is valid. It is false as well when the Lease
// does not tell when it was renewed.
func Vacant(l *coordinationv1.Lease, now time.Time) bool {
	if l.Spec.RenewTime == nil || l.Spec.LeaseDurationSeconds == nil {
		return false
	}
	valid := time.Duration(*l.Spec.LeaseDurationSeconds) * time.Second
	return ptr.Deref(l.Spec.HolderIdentity, "") == "" || now.Sub(l.Spec.RenewTime.Time) > valid
}

// Overdue is the evidence that no process of a program acts: nobody holds its
// Lease. It is false as well when the Lease can't be read.
func Overdue(r *view.Reader, of Program) (decision.Evidence, bool) {
	need := of.Lease
	need.Without = "whether the " + of.Process + " is alive is not known"
	lease, ok := view.Get[*coordinationv1.Lease](r, need)
	if !ok || !Vacant(lease, r.Now()) {
		return decision.Evidence{}, false
	}
	return decision.Evidence{Source: ownership.RefTo(view.Leases, lease), Ruling: decision.Ruled(Expired,
		decision.F("process", of.Process),
		decision.At("age", wording.Seconds(r.Now().Sub(lease.Spec.RenewTime.Time)), "spec.renewTime"),
		decision.At("holder", ptr.Deref(lease.Spec.HolderIdentity, ""), "spec.holderIdentity"),
		decision.At("seconds", *lease.Spec.LeaseDurationSeconds, "spec.leaseDurationSeconds"))}, true
}

// Nobody is the end of an answer that nobody carries out, empty otherwise.
func Nobody(found []decision.Evidence) string {
	for _, e := range found {
		if e.Rule == Expired {
			return " Nobody acts: the " + e.Facts.Str("process") + "'s lease was last renewed " + e.Facts.Brief("age") + " ago."
		}
	}
	return ""
}
