package health

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// idleScheduler is the Lease of the kube-scheduler where none is active; nil where one is, and
// where that is not known. It is read for Pods at which none has looked for long. A scheduler that
// runs without leader election leaves an old Lease as it is, and looks at Pods all the same.
func (o Options) idleScheduler(r *view.Reader, pods []*corev1.Pod) *coordinationv1.Lease {
	var looked time.Time
	waits := false
	for _, p := range pods {
		l := look{pod: p, Options: o}
		if c := view.Condition(p, corev1.PodScheduled); c != nil {
			looked = l.latest(looked, c.LastTransitionTime.Time)
		} else {
			waits = waits || l.overlooked()
		}
	}
	if !waits {
		return nil
	}
	l, ended := lease.Lapsed(r, &lease.Scheduler)
	if looked.After(ended) {
		return nil
	}
	return l
}

// overlooked reports whether a Pod without a node has waited for the kube-scheduler for long, if
// that has not looked at it. Other schedulers have Leases of their own.
func (l look) overlooked() bool {
	return l.pod.Spec.NodeName == "" && len(l.pod.Spec.SchedulingGates) == 0 && l.scheduler() == corev1.DefaultSchedulerName &&
		l.blockedBy(l.blocks(Queued, l.created()))
}
