package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// container is one of a Pod with its status; reported is false where the kubelet
// has told nothing of it.
type container struct {
	corev1.Container
	status   corev1.ContainerStatus
	reported bool
	path     string
	init     bool
}

//go:noinline
func containers(specs []corev1.Container, statuses []corev1.ContainerStatus, path string) []container {
	var all []container
	for _, spec := range specs {
		c := container{Container: spec, path: path + "[" + spec.Name + "]", init: path != "status.containerStatuses"}
		for i := range statuses {
			if statuses[i].Name == spec.Name {
				c.status, c.reported = statuses[i], true
			}
		}
		all = append(all, c)
	}
	return all
}

//go:noinline // it is called at many places
func (l look) initContainers() []container {
	return containers(l.pod.Spec.InitContainers, l.pod.Status.InitContainerStatuses, "status.initContainerStatuses")
}

//go:noinline // it is called at many places
func (l look) mainContainers() []container {
	return containers(l.pod.Spec.Containers, l.pod.Status.ContainerStatuses, "status.containerStatuses")
}

// sidecar reports whether an init container keeps running beside the others
// (pkg/api/v1/pod/util.go IsRestartableInitContainer, v1.37.1).
func (c container) sidecar() bool {
	return ptr.Deref(c.RestartPolicy, "") == corev1.ContainerRestartPolicyAlways
}

// initializing is the cause of a Pod of which an init container is not done, or a
// sidecar not started.
func (l look) initializing() (finding, bool) {
	for _, c := range l.initContainers() {
		done := c.status.State.Terminated != nil && c.status.State.Terminated.ExitCode == 0
		if c.sidecar() {
			done = ptr.Deref(c.status.Started, false)
		}
		if done || !c.reported {
			continue
		}
		f := l.undone(c)
		if f.class != Step || f.label != "" { // what is being created holds up the others alike
			f.within = f.container != ""
		}
		return f, true
	}
	return finding{}, false
}

// starting is the cause of a Pod of which a container is not ready: the gravest
// of them, and of several alike the first.
func (l look) starting() (finding, bool) {
	var worst *finding
	var all []finding
	for _, c := range append(l.mainContainers(), l.sidecars()...) {
		switch {
		case c.reported && c.status.Ready && l.flaps(c): // what it serves may be what another lacks
			all = append(all, l.undone(c))
			continue
		case c.reported && c.status.Ready || c.reported && c.status.State.Terminated != nil && c.status.State.Terminated.ExitCode == 0 && !l.restarts():
			continue
		}
		f := l.undone(c)
		if worst == nil || l.gravity(f) > l.gravity(*worst) {
			worst = &f
		}
		all = append(all, f)
	}
	if worst == nil {
		return finding{}, false
	}
	worst.within = worst.container != "" && l.several()
	for _, f := range all {
		if f.container != worst.container && f.called() == worst.called() {
			worst.within = false
		}
		if f.container != "" && f.container != worst.container && !worst.ofPod && f.class != Step && l.gravity(f) > 1 {
			worst.message += "; " + f.container + ": " + cmp.Or(f.ended, f.called())
		}
	}
	return *worst, true
}

func (l look) sidecars() []container {
	var all []container
	for _, c := range l.initContainers() {
		if c.sidecar() {
			all = append(all, c)
		}
	}
	return all
}

// several reports whether the Pod has more than one container that runs on.
func (l look) several() bool { return len(l.pod.Spec.Containers)+len(l.sidecars()) > 1 }

func (l look) restarts() bool {
	return l.pod.Spec.RestartPolicy != corev1.RestartPolicyNever && l.pod.Spec.RestartPolicy != corev1.RestartPolicyOnFailure
}

// gravity orders causes of one Pod: what blocks at once, then what does in time, then what has
// failed, then what is only slow.
func (l look) gravity(f finding) int {
	switch {
	case f.crashes >= crashes || graces[f.class].atOnce():
		return 4
	case l.blockedBy(l.blocks(f.class, f.began)):
		return 3
	case f.class == Failing:
		return 1
	case f.class == Step:
		return 0
	}
	return 2
}

// undone is why one container is not ready, or not done.
func (l look) undone(c container) finding {
	f := l.state(c)
	if !f.ofPod {
		f.container = c.Name
	}
	if f.evidence == "" {
		f.evidence = c.path
	}
	if f.since.IsZero() {
		f.since = l.notReadySince()
	}
	return l.stalled(f)
}

func (l look) state(c container) finding {
	s := c.status.State
	switch {
	case s.Waiting != nil && l.imageReason(s.Waiting.Reason):
		return l.image(c, s.Waiting)
	case s.Waiting != nil:
		return l.waiting(c, s.Waiting)
	case s.Terminated != nil:
		return l.crash(c, s.Terminated)
	case s.Running != nil && l.endedLately(c) && c.status.RestartCount >= crashes:
		return l.crash(c, c.status.LastTerminationState.Terminated)
	case s.Running != nil && l.endedLately(c):
		return l.runsAgain(c, c.status.LastTerminationState.Terminated)
	case s.Running != nil:
		return l.runs(c, s.Running)
	case c.status.RestartCount > 0: // not its first start, and whether it runs is not said
		return finding{
			class: Step, reason: "ContainersNotReady", label: "not ready", began: l.began(c), evidence: c.path + ".ready",
			message: fmt.Sprintf("not ready, %s; its state is not reported", format.Plural(int(c.status.RestartCount), "restart")),
		}
	}
	return l.creating(c, "ContainerCreating", "")
}

// waiting is a container that is not running, for another reason than its image. One that
// can't be created is not restarted, and no restart is counted, whatever its last run ended with
// (pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer, v1.37.1).
func (l look) waiting(c container, w *corev1.ContainerStateWaiting) finding {
	last := c.status.LastTerminationState.Terminated
	switch {
	case w.Reason == "CreateContainerConfigError":
		return l.waits(c, ConfigMissing, w)
	case w.Reason == "CreateContainerError" && c.status.RestartCount < crashes:
		return l.waits(c, Failing, w)
	case w.Reason == "CrashLoopBackOff" || last != nil && last.ExitCode != 0 && c.status.RestartCount > 0:
		f := l.crash(c, last)
		if w.Reason != "CrashLoopBackOff" && w.Reason != "" && w.Message != "" {
			f.reason, f.label, f.message, f.next = w.Reason, w.Reason, w.Message+"; "+f.message, ""
		}
		return f
	case w.Reason == "" || w.Reason == "ContainerCreating" || w.Reason == "PodInitializing":
		return l.creating(c, w.Reason, w.Message)
	}
	return l.waits(c, Failing, w)
}

func (l look) waits(c container, class Class, w *corev1.ContainerStateWaiting) finding {
	message := w.Message
	if message == "" {
		message = "waits: " + w.Reason
	}
	f := finding{class: class, reason: w.Reason, label: misconfigured(message), message: message, began: l.began(c), evidence: c.path + ".state.waiting"}
	if t := c.status.LastTerminationState.Terminated; t != nil {
		f.message += "; before: " + l.end(c, t) + wrote(t)
	}
	return f
}

// creating is a Pod on a node that has not started the container, and not said
// why in its status. Its events may.
func (l look) creating(c container, reason, message string) finding {
	if reason == "" {
		reason = "ContainerCreating"
	}
	f := finding{class: Step, reason: reason, message: message, began: l.began(c), evidence: c.path + ".state.waiting"}
	mount, attach, sandbox := l.unprepared("FailedMount", f.began), l.attachEvent(c), l.unprepared("FailedCreatePodSandBox", f.began)
	switch {
	case mount != nil && (attach == nil || without(mount.Message) != ""):
		f = f.of(mount)
		if strings.Contains(mount.Message, "not found") {
			f.class, f.label = ConfigMissing, cmp.Or(without(mount.Message), f.reason)
		}
		return f
	case attach != nil:
		return l.notAttached(f, attach)
	case sandbox != nil:
		return f.of(sandbox)
	}
	since := f.began
	if c.status.RestartCount == 0 { // the kubelet may have begun before it reported anything
		since = l.created()
	}
	if e := l.pulling(c, since); e != nil {
		f.reason, f.label, f.evidence = "Pulling", "pulling image", "event "+e.Name
		f.began = l.latest(f.began, events.Last(e))
		f.since = f.began
		f.message = "image " + c.Image + " is being pulled for " + format.Age(events.Last(e), l.Now)
		return f
	}
	if f.message == "" {
		f.message = "the kubelet of node " + l.pod.Spec.NodeName + " starts it"
	}
	return f
}

// unprepared is the event that the Pod could not be prepared for its containers, after an
// instant; nil where none tells, or the kubelet is past that.
func (l look) unprepared(reason string, after time.Time) *corev1.Event {
	e := l.event(reason, after)
	if e == nil || l.prepared(events.Last(e)) {
		return nil
	}
	return e
}

// of makes a finding that of an event about the Pod as a whole.
func (f finding) of(e *corev1.Event) finding {
	f.class, f.reason, f.label, f.message, f.evidence, f.ofPod = Failing, e.Reason, e.Reason, e.Message, "event "+e.Name, true
	return f
}

// prepared reports whether the Pod's volumes and its sandbox were there at an instant or
// after it: the kubelet mounts first, then makes the sandbox, and pulls images and starts
// containers last (pkg/kubelet/kubelet.go SyncPod, v1.37.1).
func (l look) prepared(at time.Time) bool {
	if c := view.Condition(l.pod, corev1.PodReadyToStartContainers); c != nil && c.Status == corev1.ConditionTrue && !c.LastTransitionTime.Time.Before(at) {
		return true
	}
	for _, reason := range []string{"Pulling", "Pulled", "Created", "Started"} {
		if l.event(reason, at) != nil {
			return true
		}
	}
	return slices.ContainsFunc(append(l.initContainers(), l.mainContainers()...), func(c container) bool {
		r, t := c.status.State.Running, c.status.State.Terminated
		return r != nil && !r.StartedAt.Time.Before(at) || t != nil && t.FinishedAt.After(at)
	})
}

// runs is a container that runs and is not ready, or, for an init container, not
// done.
func (l look) runs(c container, r *corev1.ContainerStateRunning) finding {
	f := finding{class: Step, reason: "ContainersNotReady", label: "not ready", evidence: c.path + ".ready",
		since: l.latest(r.StartedAt.Time, l.notReadySince())}
	f.began = f.since
	if f.since.IsZero() {
		f.began = l.began(c)
	}
	var probe probe
	switch {
	case c.init && !c.sidecar():
		f.reason, f.label = "PodInitializing", "initializing"
		f.message = "init container has run for " + format.Age(r.StartedAt.Time, l.Now)
		f.next = l.logs(c, false)
		return f
	case c.StartupProbe != nil && !ptr.Deref(c.status.Started, false):
		probe, f.message = startup, "runs, and its startup probe "+l.delayed(c.StartupProbe, r, "has not succeeded")
	case c.ReadinessProbe != nil:
		probe, f.message = readiness, "runs, and its readiness probe "+l.delayed(c.ReadinessProbe, r, "does not succeed")
	default:
		f.message = "runs, and is not ready yet"
		return f
	}
	// The last failure comes before the condition that follows from it, and the event of
	// the next one after periodSeconds, or later.
	if e := l.probeEvent(probe, c.Name, r.StartedAt.Time); e != nil {
		f.class, f.reason, f.label, f.message = Failing, "Unhealthy", failing(probe), e.Message
		f.evidence = "event " + e.Name
	}
	return f
}

// runsAgain is a container that runs after few restarts: how it runs now counts, and how
// its last run ended stands behind that. One whose startup probe ended that run has
// failed it ever since the Pod is not ready.
func (l look) runsAgain(c container, t *corev1.ContainerStateTerminated) finding {
	f, by := l.runs(c, c.status.State.Running), l.killer(c, t)
	f.message += "; before: " + l.end(c, t) + wrote(t)
	if f.class == Step && !c.init {
		f.label, f.briefs = "restarted after "+ended(t), []string{"restarted"}
	}
	if by == startup && !ptr.Deref(c.status.Started, false) {
		f.class, f.reason, f.label = Failing, "Unhealthy", failing(by)
		f.began, f.since = l.notReadySince(), l.notReadySince()
	}
	if f.next == "" {
		f.next = l.logs(c, by == "" && exits(t))
	}
	return f
}

// began is an instant before which the container can't have begun to wait as it
// does: the Pod was initialized and not ready, and the container's last run was over.
func (l look) began(c container) time.Time {
	at := l.latest(l.notReadySince(), timeOf(l.pod.Status.StartTime))
	if t := c.status.LastTerminationState.Terminated; t != nil {
		at = l.latest(at, t.FinishedAt.Time)
	}
	if i := view.Condition(l.pod, corev1.PodInitialized); !c.init && i != nil && i.Status == corev1.ConditionTrue {
		at = l.latest(at, i.LastTransitionTime.Time)
	}
	for _, before := range l.initContainers() {
		if t := before.status.State.Terminated; t != nil && before.Name != c.Name {
			at = l.latest(at, t.FinishedAt.Time)
		}
	}
	return at
}

// running is a container that the Pod's status has as running, "" for none.
func (l look) running() string {
	for _, c := range append(l.mainContainers(), l.initContainers()...) {
		if c.status.State.Running != nil {
			return c.Name
		}
	}
	return ""
}

// ended says how a container's run ended.
func ended(t *corev1.ContainerStateTerminated) string {
	reason := t.Reason
	if reason == "" {
		reason = "Error"
	}
	if t.Signal != 0 && t.ExitCode == 0 {
		return fmt.Sprintf("%s (signal %d)", reason, t.Signal)
	}
	return fmt.Sprintf("%s (%d)", reason, t.ExitCode)
}
