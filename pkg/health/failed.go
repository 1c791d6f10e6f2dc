package health

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// recently is how long ago a Pod failed at most whose failure tells of those that are
// created in its place.
const recently = time.Hour

// again is of how many Pods, each created once the one before it had failed, and none younger
// than which runs, the next one is taken to fail as well.
const again = 3

// failed are the causes that Pods failed for a reason that the kubelet gives, such as
// UnexpectedAdmissionError, and are replaced.
func (o Options) failed(pods []*corev1.Pod) (all []decision.Cause) {
	var failed []*corev1.Pod
	var reasons []string
	for _, p := range pods {
		if reason := p.Status.Reason; p.Status.Phase == corev1.PodFailed && reason != "" && p.DeletionTimestamp == nil && o.Now.Sub(failedAt(p)) <= recently {
			failed, reasons = append(failed, p), with(reasons, reason)
		}
	}
	sort.SliceStable(failed, func(i, j int) bool { return failedAt(failed[i]).Before(failedAt(failed[j])) })
	for _, reason := range reasons {
		var like []*corev1.Pod
		for _, p := range failed {
			if p.Status.Reason == reason {
				like = append(like, p)
			}
		}
		times := inTurn(like)
		if times > 1 || o.replaces(pods, like[len(like)-1]) {
			all = append(all, o.failedFor(reason, like, times, pods))
		}
	}
	return all
}

// with adds a name to sorted ones that lack it.
//
//go:noinline
func with(names []string, name string) []string {
	if name == "" || slices.Contains(names, name) {
		return names
	}
	names = append(names, name)
	slices.Sort(names)
	return names
}

// failedFor is the cause that these Pods failed, so many of them one after another. Those that
// their kubelets reject are replaced at once, and rejected again: no time has to pass until
// that blocks.
func (o Options) failedFor(reason string, failed []*corev1.Pod, times int, pods []*corev1.Pod) decision.Cause {
	last, since, rejected := failed[len(failed)-1], failedAt(failed[0]), !slices.ContainsFunc(failed, ran)
	message := strings.TrimSpace(last.Status.Message)
	c := o.Judge(decision.Cause{
		Object: refOf(last), Reason: reason, Message: cmp.Or(message, reason), Since: since,
		Evidence: "status.reason", Next: describe("pod", last.Namespace, last.Name),
	}, FailedBefore, since)
	c.Label, c.Briefs = failedOn(failed, reason, rejected)
	if rejected && times >= again {
		c.Blocked, c.BlockedAt = true, since
	}
	if times < 2 || slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return p.CreationTimestamp.After(failedAt(last)) && o.admitted(p) }) {
		c.Blocked, c.BlockedAt = false, time.Time{}
	}
	if !c.Blocked {
		c.Follows, c.Message = true, strings.TrimSuffix(c.Label+": "+message, ": ")
	}
	c.StopsBlocked = times >= again
	c.Stops = c.Blocked && c.StopsBlocked
	return c
}

// failedOn says that Pods failed, where, and for which reason, and the same where there is less
// room.
func failedOn(failed []*corev1.Pod, reason string, rejected bool) (label string, briefs []string) {
	var nodes []string
	for _, p := range failed {
		nodes = with(nodes, p.Spec.NodeName)
	}
	verb := " failed"
	if rejected {
		verb = " rejected"
	}
	short := format.Plural(len(failed), "Pod") + verb
	why := reason
	switch message := failed[len(failed)-1].Status.Message; {
	case rejected:
	case reason == view.Evicted:
		why += ": " + lacked(message)
	case strings.Contains(message, "node shutdown"): // pkg/kubelet/nodeshutdown/nodeshutdown_manager.go nodeShutdownMessage (v1.37.1)
		why += ": node shutdown"
	}
	briefs = []string{inBrackets(short, why)}
	if why != reason {
		briefs = append(briefs, inBrackets(short, reason))
	}
	briefs = append(briefs, short)
	if len(nodes) == 0 {
		return briefs[0], briefs[1:]
	}
	return inBrackets(short+" on "+format.Some(nodes, len(nodes)), why), briefs
}

// lacked is what a node lacked from which a Pod was evicted, as its kubelet says.
func lacked(message string) string {
	why, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(message), "."), ". ")
	return strings.Replace(why, lowOn, "node low on ", 1)
}

// failedAt is when a Pod has failed that did, not before it was created.
//
//go:noinline
func failedAt(p *corev1.Pod) time.Time { return known(endedAt(p), p.CreationTimestamp.Time) }

// endedAt is when a Pod ended that did, zero where it does not tell. One that was rejected did
// when it was created.
func endedAt(p *corev1.Pod) (at time.Time) {
	if c := view.Condition(p, corev1.DisruptionTarget); c != nil {
		at = c.LastTransitionTime.Time
	}
	for _, c := range p.Status.ContainerStatuses {
		if t := c.State.Terminated; t != nil && t.FinishedAt.After(at) {
			at = t.FinishedAt.Time
		}
	}
	if at.IsZero() && view.NeverRan(p) {
		return p.CreationTimestamp.Time
	}
	return at
}

func ran(p *corev1.Pod) bool { return !view.NeverRan(p) }

// inTurn is how many of the Pods, sorted by when they failed, failed one after another: each
// was created when the one before it had.
func inTurn(failed []*corev1.Pod) int {
	n, at := 0, time.Time{}
	for _, p := range failed {
		if p.CreationTimestamp.After(at) {
			n, at = n+1, failedAt(p)
		}
	}
	return n
}

// replaces reports whether a Pod that was created since one failed is not available yet.
func (o Options) replaces(pods []*corev1.Pod, failed *corev1.Pod) bool {
	at := failedAt(failed)
	return slices.ContainsFunc(pods, func(p *corev1.Pod) bool {
		return !view.Ended(p) && p.DeletionTimestamp == nil && !o.available(p) && !p.CreationTimestamp.Time.Before(at)
	})
}

// admitted reports whether the kubelet has let a Pod start.
func (o Options) admitted(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning || p.Status.Phase == corev1.PodPending && len(p.Status.ContainerStatuses) > 0 && o.Now.Sub(timeOf(p.Status.StartTime)) > time.Minute
}
