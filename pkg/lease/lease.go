package lease

import (
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Program is one whose controllers act while it holds its Lease.
type Program struct {
	Process string
	Lease   view.Need
	// Manager is the field manager of its writes, Components are the sources of
	// its controllers' events.
	Manager    string
	Components []string
}

// ControllerManager is the program with Kubernetes' own controllers. A plugin declares the one
// of its controllers where they run in another.
var ControllerManager = Program{
	"controller manager", view.Need{Kind: view.Leases, Namespace: "kube-system", Name: "kube-controller-manager"},
	"kube-controller-manager", []string{"deployment-controller", "replicaset-controller", "replication-controller", "statefulset-controller"},
}

// Scheduler is the program that finds nodes for Pods which name no other, with the Lease of its
// defaults (pkg/scheduler/apis/config/v1/defaults.go SetDefaults_KubeSchedulerConfiguration,
// v1.37.1).
var Scheduler = Program{
	"kube-scheduler", view.Need{Kind: view.Leases, Namespace: "kube-system", Name: "kube-scheduler", Extra: true},
	"kube-scheduler", []string{corev1.DefaultSchedulerName},
}

// Vacant reports whether a Lease has no holder now: its holder let go of it, or did
// not renew it for longer than it is valid. It is false as well when the Lease
// does not tell when it was renewed.
func Vacant(l *coordinationv1.Lease, now time.Time) bool {
	if l.Spec.RenewTime == nil || l.Spec.LeaseDurationSeconds == nil {
		return false
	}
	return holder(l) == "" || now.After(lapse(l))
}

// Held reports whether a process is seen to hold the Lease now, so that what its
// controllers report is up to date.
func Held(r *view.Reader, of *Program) bool {
	l, ok := of.read(r)
	return ok && l.Spec.RenewTime != nil && l.Spec.LeaseDurationSeconds != nil && !Vacant(l, r.ReadAt())
}

// Lapsed is the Lease of a program that has no holder now, and when it ran out; nil where it has
// one, and where that is not known.
func Lapsed(r *view.Reader, of *Program) (l *coordinationv1.Lease, at time.Time) {
	l, ok := of.read(r)
	if !ok || !Vacant(l, r.ReadAt()) {
		return nil, at
	}
	return l, lapse(l)
}

func (p *Program) read(r *view.Reader) (*coordinationv1.Lease, bool) {
	need := p.Lease
	need.Detail, need.IfMissing, need.Explains = view.Full, "whether the "+p.Process+" is alive is not known", true
	l, ok := view.Get[*coordinationv1.Lease](r, need)
	if absent, _ := r.Absent(need); absent && !need.Extra {
		r.NoteAbsent(need)
	}
	return l, ok
}

// Overdue is the evidence about a program that has something to write to the
// subject, when nobody holds its Lease: no process of it acts, or one acts
// without. It is false when the Lease is held, and when it can't be read.
// unelected programs hold none.
func Overdue(r *view.Reader, of *Program, unelected bool, s *Subject) (decision.Evidence, bool) {
	if unelected {
		return decision.Evidence{}, false
	}
	lease, ok := of.read(r)
	if !ok || !Vacant(lease, r.ReadAt()) {
		return decision.Evidence{}, false
	}
	facts := []decision.Fact{
		decision.F(keyProcess, of.Process),
		decision.At(keyAge, format.Seconds(r.ReadAt().Sub(lease.Spec.RenewTime.Time)), "spec.renewTime"),
		decision.At(keyHolder, holder(lease), "spec.holderIdentity"),
		decision.At(keySeconds, *lease.Spec.LeaseDurationSeconds, "spec.leaseDurationSeconds"),
	}
	rule := Expired
	if acted := of.Acts(r, lease, s); acted != "" {
		rule, facts = Ignored, append(facts, decision.F(keyActed, acted))
	}
	return decision.Evidence{Source: ownership.RefTo(view.Leases, lease), Ruling: decision.Ruled(rule, facts...)}, true
}

// Told returns the place of evidence about a leader, -1 for none.
func Told(all []decision.Evidence) int {
	for i := range all {
		if Tells(all[i].Rule) {
			return i
		}
	}
	return -1
}

// Tells reports whether a rule is about a Lease.
func Tells(rule string) bool { return rule == Expired || rule == Ignored }

// NoLeader is the reason of the cause that no leader is active.
const NoLeader = "NoActiveLeader"

// Await says of the next sync that it needs a leader, where there is none.
func Await(d *decision.Decision) {
	lacks := WithoutLeader(d) != "" || slices.ContainsFunc(d.BlockedBy, func(c decision.Cause) bool { return c.Reason == NoLeader })
	if lacks && d.NextSync.Message != "" {
		d.Await("once a leader is active, ")
	}
}

// WithoutLeader is the end of an answer for which no leader is active, empty otherwise.
func WithoutLeader(d *decision.Decision) string {
	for _, e := range d.Evidence {
		if e.Rule != Expired {
			continue
		}
		lead := " " + decision.NoActiveLeader
		if !d.Pending && d.Status.Writes {
			lead += ", and its status is out of date"
		}
		return lead + ": the " + e.Facts.Str(keyProcess) + "'s lease was last renewed " + e.Facts.Brief(keyAge) + " ago."
	}
	return ""
}
