package inference

import (
	"errors"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// leader is the process whose memory is asked about.
type leader struct {
	ref    decision.Ref
	err    error
	known  bool
	holder string
	// acquired is when it took over with nothing in its memory, zero if not
	// known; renewed is when it was last heard of.
	acquired, renewed time.Time
	lasts             time.Duration
	// gone: there is no active leader until a process takes the Lease over, with an
	// empty memory. A process that was merely stopped gives up when it finds
	// that it lost the lease.
	gone bool
}

func (i *inference) findLeader() {
	need := i.Controller.Lease
	if i.Controller.Unelected {
		i.leader = leader{err: errors.New("it runs without leader election"), ref: leaseRef(need)}
		return
	}
	need.IfMissing = "since when the " + i.Controller.Process + " remembers anything is not known"
	held, ok := view.Get[*coordinationv1.Lease](i.r, need)
	i.leader = leader{err: i.r.Err(full(need)), ref: leaseRef(need)}
	if absent, _ := i.r.Absent(full(need)); absent {
		i.leader.err = errors.New("it is not there")
	}
	if !ok || held.Spec.RenewTime == nil || held.Spec.LeaseDurationSeconds == nil {
		return
	}
	l := &i.leader
	vacant := lease.Vacant(held, i.now)
	if vacant {
		if acted := i.Controller.Acts(i.r, held, &lease.Subject{Kind: i.Kind, Object: i.Object, Makes: view.Pods}); acted != "" {
			l.err = errors.New("it expired, and is not used: " + acted)
			return
		}
	}
	l.ref, l.known, l.gone = ownership.RefTo(view.Leases, held), true, vacant
	l.renewed, l.lasts = held.Spec.RenewTime.Time, time.Duration(*held.Spec.LeaseDurationSeconds)*time.Second
	if held.Spec.AcquireTime != nil {
		l.acquired = held.Spec.AcquireTime.Time
	}
	if held.Spec.HolderIdentity != nil {
		l.holder = *held.Spec.HolderIdentity
	}
}

func leaseRef(need view.Need) decision.Ref {
	return decision.Ref{APIVersion: need.Kind.GroupVersion().String(), Kind: need.Kind.Kind, Namespace: need.Namespace, Name: need.Name}
}

// forgot tells that a write was made by an earlier leader.
func (l leader) forgot(w Write) bool {
	return l.known && !l.acquired.IsZero() && !w.At.Add(time.Second).After(l.acquired)
}

func (i *inference) tellLeader() {
	if !i.leader.known {
		return
	}
	facts := []decision.Fact{
		decision.At(keyHolder, i.leader.holder, "spec.holderIdentity"),
		decision.At(keyRenewed, ago(i.now, i.leader.renewed), "spec.renewTime"),
	}
	if !i.leader.acquired.IsZero() {
		facts = append(facts, decision.At(keyAcquired, i.acquired(), "spec.acquireTime"),
			decision.F(keyLeads, ago(i.now, i.leader.acquired)))
	}
	i.found(i.leader.ref, LeaderSince, facts...)
}

// ago prints how long ago, to the second, as 3m10s or 3h.
func ago(now, t time.Time) string { return brief(now.Sub(t)) }

func brief(d time.Duration) string {
	text := d.Truncate(time.Second).String()
	for _, nothing := range []string{"m0s", "h0m"} {
		if whole, ok := strings.CutSuffix(text, nothing); ok {
			text = whole + nothing[:1]
		}
	}
	return text
}

// acquired is when the leader began to lead, with the date where that is a day ago.
func (i *inference) acquired() string {
	if i.now.Sub(i.leader.acquired) < 24*time.Hour {
		return stamp(i.leader.acquired)
	}
	return i.leader.acquired.UTC().Format(time.RFC3339)
}

func stamp(t time.Time) string { return t.UTC().Format("15:04:05Z") }
