package health

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Options is what the cause of a Pod depends on besides the Pod.
type Options struct {
	// Now is the instant of the answer.
	Now time.Time
	// MinReady is minReadySeconds, and Deadline progressDeadlineSeconds, of the
	// workload; 0 for none.
	MinReady, Deadline time.Duration
	// Exact: minReadySeconds are enough when they are just over, as they are for
	// controllers since Kubernetes 1.34. Before, more was needed.
	Exact bool
	// Running: a Pod of another phase is not ready, whatever its condition says, as for
	// StatefulSets and CloneSets.
	Running bool
	// node reads a node, startNode that of a Pod that starts; nil where none can be read.
	node, startNode func(string) *corev1.Node
	// claimEvent reads the newest event of a volume claim; nil where none can be read.
	claimEvent func(string) *corev1.Event
	// selected reads which node was chosen for a volume claim that is not bound; nil where none
	// can be read.
	selected func(claim string) string
	// attached tells which VolumeAttachment attaches a volume to which node; nil where none
	// can be read.
	attached func(volume string) (name, node string)
	// pinned tells of a volume claim by what it is kept from all nodes; nil where none can be read.
	pinned func(claim string) string
	// tainted are the nodes with a taint, untolerated how many each taint keeps a Pod from; nil
	// where none can be read.
	tainted     func(key string) []string
	untolerated func(*corev1.Pod) map[string]int
	// preempted says which Pods were preempted whose names begin with a prefix.
	preempted map[string]string
	// idle is the Lease of the kube-scheduler where none is active; nil where that is not known.
	idle *coordinationv1.Lease
	// usedBy is the Pod that uses a volume claim; nil where none can be read.
	usedBy func(claim string) string
	// runOn are the nodes on which Pods of the same target run an image; nil where none can be read.
	runOn func(image string) []string
	// vacated is a Pod that leaves a place for another one, unmoved one that was preempted for
	// it and stays; nil where none can be read.
	vacated, unmoved func(*corev1.Pod) *corev1.Pod
}

// Pod returns why a Pod is not available; ok is false for one that is. The
// events are those of the Pod, as far as they were read.
func Pod(pod *corev1.Pod, events []*corev1.Event, o Options) (c decision.Cause, ok bool) {
	if o.available(pod) {
		return decision.Cause{}, false
	}
	l := look{pod: pod, events: events, Options: o}
	f := l.find()
	c = decision.Cause{
		Object: refOf(pod),
		Reason: f.reason, Label: f.called(), Briefs: f.briefs, Root: f.root, Container: f.container, Within: f.within, Ended: f.ended, Message: f.message, Since: f.since, Evidence: f.evidence,
		BlockedAt: o.blocks(f.class, f.began), Class: string(f.class), Began: f.began,
		Pod: ColumnsOf(pod), TaintEviction: f.eviction, Next: f.next,
	}
	if c.Next == "" && f.class != MinReady { // of which describe shows nothing: time passes
		c.Next = describe("pod", pod.Namespace, pod.Name)
	}
	if f.crashes >= crashes || graces[f.class].atOnce() {
		c.Blocked, c.BlockedAt = true, f.since
	}
	c.Blocked = c.Blocked || o.blockedBy(c.BlockedAt)
	return c, true
}

func refOf(pod *corev1.Pod) decision.Ref {
	return decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: string(pod.UID)}
}

// ColumnsOf are the columns of a Pod in a list.
func ColumnsOf(pod *corev1.Pod) *decision.PodColumns {
	return &decision.PodColumns{Ready: Ready(pod), Status: statusColumn(pod), Created: pod.CreationTimestamp.UTC()}
}

// finding is what was found out about one Pod.
type finding struct {
	class                             Class
	reason, label, container, message string
	evidence                          string
	// ofPod: it is of the Pod as a whole, whichever container waits for it. within: a first
	// line names the container; see decision.Cause.
	ofPod, within bool
	// briefs are what stands for label where there is less room, and root is whether the
	// cause is that of a node.
	briefs []string
	root   bool
	// ended is how the container's last run ended, and how often it was restarted.
	ended string
	// eviction is when the taints of the node delete the Pod, nil where that was not looked at.
	eviction *decision.TaintEviction
	// next is the command that shows more of it than kubectl describe, if any.
	next string
	// since is what is told of its beginning, began what its grace counts from:
	// not before the cause began.
	since, began time.Time
	// crashes is how often a container that crashes was restarted.
	crashes int32
}

// called is its label, or its reason.
func (f finding) called() string { return cmp.Or(f.label, f.reason) }

// look is one Pod that is looked at.
type look struct {
	pod    *corev1.Pod
	events []*corev1.Event
	Options
}

// find follows a Pod from its deletion, over the scheduler and its containers, to
// its readiness. The first step that is not done is the cause.
func (l look) find() finding {
	steps := []func() (finding, bool){l.deletion, l.finished, l.scheduling, l.initializing, l.starting, l.readiness}
	if ready, _ := view.Readiness(l.pod); ready {
		steps = []func() (finding, bool){l.deletion, l.finished, l.notRunning, l.readiness} // the rest is over
	}
	for _, step := range steps {
		if f, found := step(); found {
			return f
		}
	}
	return l.notReady("ContainersNotReady", "", "the kubelet has not reported why", "status.conditions[Ready]")
}

// ready reports whether a Pod counts as ready for its controller.
func (o Options) ready(pod *corev1.Pod) bool {
	ready, _ := view.Readiness(pod)
	return ready && (!o.Running || pod.Status.Phase == corev1.PodRunning)
}

func (o Options) available(pod *corev1.Pod) bool {
	if pod.DeletionTimestamp != nil || view.Ended(pod) || !o.ready(pod) {
		return false
	}
	if o.MinReady == 0 {
		return true
	}
	ready := view.Condition(pod, corev1.PodReady)
	due := ready.LastTransitionTime.Add(o.MinReady)
	return !ready.LastTransitionTime.IsZero() && (due.Before(o.Now) || o.Exact && due.Equal(o.Now))
}

// notRunning is the cause of a Pod that is not Running although its condition Ready is True, as
// one of a node that was lost (isRunningAndReady, pkg/controller/statefulset/
// stateful_set_utils.go, v1.37.1).
func (l look) notRunning() (finding, bool) {
	if l.ready(l.pod) {
		return finding{}, false
	}
	phase := string(l.pod.Status.Phase)
	return finding{class: Failing, reason: "NotRunning", label: "phase " + phase, evidence: "status.phase",
		message: "it is Ready, but its phase is " + phase + ": only a Running Pod counts as ready", began: l.pod.CreationTimestamp.Time}, true
}

// finished is the cause of a Pod that ran to its end: nothing starts it again.
func (l look) finished() (finding, bool) {
	if !view.Ended(l.pod) {
		return finding{}, false
	}
	s := l.pod.Status
	f := finding{class: Finished, reason: s.Reason, message: s.Message, evidence: "status.phase"}
	if f.reason == "" {
		f.reason = string(s.Phase)
	}
	for _, c := range s.ContainerStatuses {
		t := c.State.Terminated
		if t == nil {
			continue
		}
		if t.FinishedAt.After(f.since) {
			f.since = t.FinishedAt.Time
		}
		if f.message == "" && t.ExitCode != 0 {
			f.container, f.message = c.Name, ended(t)
		}
	}
	if f.message == "" {
		f.message = "the Pod has ended, and is not started again"
	}
	if f.reason == view.Evicted {
		f.label, f.briefs = "Evicted ("+lacked(f.message)+")", []string{view.Evicted}
		if c := view.Condition(l.pod, corev1.DisruptionTarget); c != nil {
			f.since = l.latest(f.since, c.LastTransitionTime.Time)
		}
	}
	f.began = l.latest(f.since, l.created())
	return f, true
}

// lowOn is how the message of most evicted Pods begins (pkg/kubelet/eviction/helpers.go
// nodeLowMessageFmt, v1.37.1).
const lowOn = "The node was low on resource: "

// deletion is the cause of a Pod that is being deleted.
func (l look) deletion() (finding, bool) {
	if l.pod.DeletionTimestamp == nil {
		return finding{}, false
	}
	f := l.deleting()
	if f.root || l.blockedBy(l.blocks(Deletion, f.began)) {
		f.message = "being deleted for " + format.Age(f.since, l.Now) + ": " + f.message
	}
	return f, true
}

// deleting is what the deletion of a Pod waits for.
func (l look) deleting() (f finding) {
	at := l.pod.DeletionTimestamp
	f = finding{class: Deletion, reason: "Terminating", began: at.Time, since: at.Time, evidence: "metadata.deletionTimestamp"}
	if grace := l.pod.DeletionGracePeriodSeconds; grace != nil && *grace > 0 {
		f.since = at.Add(-time.Duration(*grace) * time.Second)
	}
	running := l.running()
	if c := places.Preempted(l.pod); c != nil {
		f.label, f.briefs = "Terminating (preempted)", []string{"Terminating"}
		defer func() { f.message = c.Message + "; " + f.message }()
	}
	switch {
	case len(l.pod.Finalizers) > 0 && running == "":
		f.label, f.message, f.evidence = withFinalizer, l.finalizers(), "metadata.finalizers"
		f.next = Whole("pod", l.pod.Namespace, l.pod.Name)
	case l.pod.Status.Reason == "NodeLost":
		f.label, f.message = "Terminating on an unreachable node", fmt.Sprintf("node %s does not answer, and does not confirm the deletion", l.pod.Spec.NodeName)
	case l.pastGrace(l.pod):
		f = l.overdue(f, running)
	case running != "":
		f.message = "container " + running + " is being stopped"
		if left := at.Sub(l.Now); left > time.Minute {
			f.message += ", within " + atMost(left)
		}
		if grace := at.Sub(f.since); f.label == "" && grace > time.Minute { // it is what is waited for
			text := duration.HumanDuration(grace) + ")"
			f.label, f.briefs = f.reason+" (grace period "+text, []string{f.reason + " (grace " + text, f.reason}
		}
	default:
		f.message = removing
	}
	if len(l.pod.Finalizers) > 0 && running != "" {
		f.message += "; " + l.finalizers()
	}
	return f
}

// removing is what a Pod waits for of which no container runs.
const removing = "waits until the kubelet has removed it"

// overdue is what the deletion of a Pod waits for whose grace period is over. On a lost node no
// time ends that, unless the Pod garbage collector deletes the Pod.
func (l look) overdue(f finding, running string) finding {
	if n, found := l.lost(); found {
		f.label, f.briefs = "Terminating on "+n.label, []string{"on " + n.label, n.brief()}
		f.next, f.root = n.next(), true
		f.message = n.says(l.Now) + ", and does not confirm the deletion"
		if n.collected != "" && len(l.pod.Finalizers) == 0 {
			f.message, f.root, f.began = n.says(l.Now)+": "+n.collected, false, time.Time{}
		}
		return f
	}
	if running == "" {
		f.message = removing
		return l.notKilled(l.unlisted(f))
	}
	f.message = fmt.Sprintf("container %s still runs on node %s after the grace period, as far as its kubelet reported", running, l.pod.Spec.NodeName)
	f = l.unlisted(f)
	if len(l.pod.Finalizers) > 0 {
		f.label, f.next = withFinalizer, Whole("pod", l.pod.Namespace, l.pod.Name)
	}
	return l.notKilled(f)
}

// notKilled adds what the kubelet reports of a Pod that it fails to stop (SyncTerminatingPod
// of pkg/kubelet/kubelet.go, v1.37.1).
func (l look) notKilled(f finding) finding {
	e := l.event("FailedKillPod", f.since)
	if e == nil {
		return f
	}
	f.label, f.briefs, f.evidence = "Terminating ("+e.Reason+")", []string{e.Reason}, "event "+e.Name
	f.message = strings.TrimSuffix(e.Message, ".") + "; " + f.message
	return f
}

// withFinalizer is in short why a Pod stays that a finalizer holds.
const withFinalizer = "Terminating with a finalizer"

// finalizers names those of the Pod.
func (l look) finalizers() string {
	return "finalizers: " + format.Some(l.pod.Finalizers, len(l.pod.Finalizers))
}

// readiness is what is left once all containers are ready.
func (l look) readiness() (finding, bool) {
	ready := view.Condition(l.pod, corev1.PodReady)
	if ready != nil && ready.Status == corev1.ConditionTrue {
		return l.minReady(ready), true
	}
	for _, g := range l.pod.Spec.ReadinessGates {
		c := view.Condition(l.pod, g.ConditionType)
		if c != nil && c.Status == corev1.ConditionTrue {
			continue
		}
		message := fmt.Sprintf("readiness gate %s has no condition yet", g.ConditionType)
		if c != nil {
			message = fmt.Sprintf("readiness gate %s is %s", g.ConditionType, c.Status)
			if c.Message != "" {
				message += ": " + c.Message
			}
		}
		f := l.notReady("ReadinessGatesNotReady", "readiness gate not ready", message, "status.conditions["+string(g.ConditionType)+"]")
		f.briefs = []string{"gate not ready"}
		if c != nil {
			f.began = l.latest(f.began, c.LastTransitionTime.Time)
		}
		return f, true
	}
	if len(l.pod.Status.ContainerStatuses) > 0 && l.pod.Spec.NodeName != "" {
		return l.unreported(), true
	}
	return finding{}, false
}

// unreported is a Pod whose containers are ready as their kubelet reported last, and which is
// not ready itself.
func (l look) unreported() finding {
	f := l.notReady("NotReady", "not ready", "all containers are ready, and the Pod is not", "status.conditions[Ready]")
	c := view.Condition(l.pod, corev1.PodReady)
	switch {
	case c != nil && c.Reason != "" && !ofNode[c.Reason]:
		f.reason, f.label, f.briefs = c.Reason, "not ready ("+c.Reason+")", []string{"not ready"}
		f.message += ": its kubelet reports " + strings.TrimSuffix(c.Reason+": "+c.Message, ": ")
	case l.nodeReady():
		f.message += "; node " + l.pod.Spec.NodeName + " is Ready"
	case c != nil:
		f.reason, f.label = "NodeNotReady", "node not ready"
		f.message += ": node " + l.pod.Spec.NodeName + " may not report to the API server"
	}
	return l.onLost(f)
}

func (l look) minReady(ready *corev1.PodCondition) finding {
	since := ready.LastTransitionTime.Time
	if f, crashed := l.crashedLately(since); crashed {
		return f
	}
	message := fmt.Sprintf("ready, and available after minReadySeconds (%s)", duration.HumanDuration(l.MinReady))
	if !since.IsZero() {
		message = fmt.Sprintf("ready for %s of minReadySeconds (%s)", duration.HumanDuration(max(l.Now.Sub(since), 0)), duration.HumanDuration(l.MinReady))
	}
	f := finding{class: MinReady, reason: "MinReadySeconds", label: "waiting for minReadySeconds", message: message,
		since: since, evidence: "status.conditions[Ready].lastTransitionTime"}
	if e := l.lapse(since); e != nil {
		f.label, f.next = "readiness probe failed lately", describe("pod", l.pod.Namespace, l.pod.Name)
		f.message += fmt.Sprintf(", which each failure starts anew; %s ago: %s", format.Age(events.Last(e), l.Now), e.Message)
	}
	return f
}

// lapse is the newest event of a readiness probe that failed a short while before an instant
// since which the Pod is ready, though its container had run for long; nil for none.
func (l look) lapse(ready time.Time) *corev1.Event {
	for _, c := range append(l.mainContainers(), l.sidecars()...) {
		r := c.status.State.Running
		if r == nil || ready.Sub(r.StartedAt.Time) < l.MinReady+graces[Failing].After {
			continue
		}
		if e := l.probeEvent(readiness, c.Name, ready.Add(-l.MinReady)); e != nil && events.Count(e) > 1 {
			return e
		}
	}
	return nil
}

// notReady is a cause that lasts no longer than the Pod is not ready.
func (l look) notReady(reason, label, message, evidence string) finding {
	since := l.notReadySince()
	return finding{class: Step, reason: reason, label: label, message: message, evidence: evidence, since: since, began: since}
}

// notReadySince is when the Pod's condition Ready became False, zero where it
// does not tell.
func (l look) notReadySince() time.Time {
	if c := view.Condition(l.pod, corev1.PodReady); c != nil && c.Status != corev1.ConditionTrue {
		return c.LastTransitionTime.Time
	}
	return time.Time{}
}

func (l look) created() time.Time { return l.pod.CreationTimestamp.Time }

// latest is the last of several instants, zero only for none.
//
//go:noinline // it is called at many places
func (l look) latest(all ...time.Time) time.Time {
	var last time.Time
	for _, t := range all {
		if t.After(last) {
			last = t
		}
	}
	return last
}

func timeOf(t *metav1.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}
