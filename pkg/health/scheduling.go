package health

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// scheduling is the cause of a Pod without a node.
func (l look) scheduling() (finding, bool) {
	c := view.Condition(l.pod, corev1.PodScheduled)
	switch {
	case l.pod.Spec.NodeName != "" || c != nil && c.Status == corev1.ConditionTrue:
		return finding{}, false
	case len(l.pod.Spec.SchedulingGates) > 0:
		return l.gated(c), true
	case c == nil:
		return l.unlooked(), true
	}
	f := finding{class: Unschedulable, reason: c.Reason, label: without(c.Message), message: c.Message, since: c.LastTransitionTime.Time,
		began: c.LastTransitionTime.Time, evidence: "status.conditions[PodScheduled].message"}
	if f.reason == "" {
		f.reason = corev1.PodReasonUnschedulable
	}
	if f.message == "" {
		f.message = l.scheduler() + " found no node"
	}
	said := l.spelled(c.Message)
	if f.label == "" {
		f.label, f.briefs = unfit(f.reason, said)
	}
	l.unboundClaim(&f)
	l.volumelessClaim(&f)
	l.lostClaim(&f)
	l.keptFrom(&f, said)
	l.keptClaim(&f)
	if e := events.Newest(l.events, l.pod.UID, "TriggeredScaleUp"); e != nil && events.Last(e).After(f.since) {
		f.class, f.began = ScalingUp, events.Last(e)
		f.message += fmt.Sprintf("; the cluster autoscaler adds nodes since %s: %s", format.Age(events.Last(e), l.Now), e.Message)
	}
	if e := l.event(notTriggered, f.since); e != nil && f.class == Unschedulable {
		_, why, _ := strings.Cut(e.Message, ": ")
		f.message = strings.TrimSuffix(f.message, ".") + "; the cluster autoscaler adds no node: " + cmp.Or(why, e.Message)
	}
	l.waitsForPlace(&f)
	l.afterPreemption(&f)
	return f, true
}

// unlooked is the cause of a Pod of which no scheduler has reported anything.
func (l look) unlooked() finding {
	since := l.created()
	f := finding{class: Queued, reason: "Pending", label: "not scheduled", since: since, began: since,
		message: "no scheduler has looked at it: " + l.scheduler(), evidence: "status.conditions[PodScheduled]"}
	l.binding(&f)
	l.leaderless(&f)
	return f
}

// notTriggered is the reason of an event about a Pod for which no node group is scaled up
// (kubernetes/autoscaler cluster-autoscaler/processors/status/eventing_scale_up_processor.go).
const notTriggered = "NotTriggerScaleUp"

// gated is the cause of a Pod that the scheduler must not look at yet.
func (l look) gated(c *corev1.PodCondition) finding {
	names := make([]string, len(l.pod.Spec.SchedulingGates))
	for i, g := range l.pod.Spec.SchedulingGates {
		names[i] = g.Name
	}
	since := l.created()
	if c != nil && !c.LastTransitionTime.IsZero() {
		since = c.LastTransitionTime.Time
	}
	return finding{class: Hook, reason: corev1.PodReasonSchedulingGated, since: since, began: since,
		message: "scheduling gates: " + format.Some(names, len(names)), evidence: "spec.schedulingGates"}
}

func (l look) scheduler() string {
	if name := l.pod.Spec.SchedulerName; name != "" {
		return name
	}
	return corev1.DefaultSchedulerName
}

// event is the newest of the Pod's events of a reason that happened after an
// instant, nil for none.
func (l look) event(reason string, after time.Time) *corev1.Event {
	e := events.Newest(l.events, l.pod.UID, reason)
	if e == nil || events.Last(e).Before(after) {
		return nil
	}
	return e
}
