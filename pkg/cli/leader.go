package cli

import (
	"fmt"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The states of a manager's leader.
const (
	active     = "Active"
	none       = "None"
	notElected = "NotElected"
	notVisible = "NotVisible"
)

// leader is the process of a controller manager whose controllers act, as its Lease says.
func leader(r *view.Reader, p manager.Program, a manager.Arguments) render.ManagerLeader {
	need := lease.ControllerManager.Lease
	need.Name, need.Namespace = p.Setting(a, p.Flags.LeaseName).Value, p.Setting(a, p.Flags.LeaseNamespace).Value
	need.IfMissing, need.Explains = "which process leads is not known", true
	l := render.ManagerLeader{Lease: need.Namespace + "/" + need.Name}
	if elect := p.Setting(a, p.Flags.Elect); elect.Value == "false" {
		l.State, l.Message = notElected, "no election, --"+elect.Flag+"=false (argument)"
		return l
	}
	held, ok := view.Get[*coordinationv1.Lease](r, need)
	switch err := r.Err(need); {
	case err != nil:
		l.State, l.Message = notVisible, fmt.Sprintf("not visible: %v", err)
	case !ok:
		l.State, l.Message = none, fmt.Sprintf("there is no Lease %s", l.Lease)
	default:
		leads(&l, r, held)
	}
	return l
}

// leads writes what a Lease says of its holder.
func leads(l *render.ManagerLeader, r *view.Reader, held *coordinationv1.Lease) {
	l.Holder = ptr.Deref(held.Spec.HolderIdentity, "")
	renewed := "never renewed"
	if at := held.Spec.RenewTime; at != nil {
		renewedAt := at.UTC()
		l.Renewed = &renewedAt
		renewed = "renewed " + format.Age(at.Time, r.Now()) + " ago"
	}
	valid := ptr.Deref(held.Spec.LeaseDurationSeconds, 0)
	l.State, l.Message = active, fmt.Sprintf("%s, Lease %s %s, valid for %ds", l.Holder, l.Lease, renewed, valid)
	if lease.Vacant(held, r.Now()) || l.Holder == "" {
		l.State, l.Message = none, fmt.Sprintf("none active: Lease %s was %s, valid for %ds (holder %s)", l.Lease, renewed, valid, format.OrDash(l.Holder))
	}
}
