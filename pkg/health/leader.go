package health

import (
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Leader returns the cause that there is no active leader to do what is due, as
// evidence about a Lease says.
func Leader(r *view.Reader, found []decision.Evidence, o Options) []decision.Cause {
	for _, e := range found {
		if e.Rule != lease.Expired {
			continue
		}
		need := view.Need{Kind: view.Leases, Namespace: e.Source.Namespace, Name: e.Source.Name, IfMissing: "since when there is no active leader is not known", Explains: true}
		l, ok := view.Get[*coordinationv1.Lease](r, need)
		if !ok || l.Spec.RenewTime == nil {
			continue
		}
		renewed := l.Spec.RenewTime.Time
		return []decision.Cause{o.stops(decision.Cause{
			Object: e.Source, Reason: lease.NoLeader, Label: "no active leader",
			Message: "no process renews the Lease, so that no controller acts", Since: renewed, Evidence: "spec.renewTime",
			Next: describe("lease", l.Namespace, l.Name),
		}, NoLeader, renewed)}
	}
	return nil
}
