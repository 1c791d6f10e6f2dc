package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// crash is a container that ends again and again; t is its last end, nil where
// the status does not tell it.
func (l look) crash(c container, t *corev1.ContainerStateTerminated) finding {
	n := c.status.RestartCount
	f := finding{class: CrashLoop, reason: "CrashLoopBackOff", crashes: n, evidence: c.path + ".lastState.terminated"}
	if c.status.State.Terminated != nil {
		f.evidence = c.path + ".state.terminated"
	}
	f.message = format.Plural(int64(n), "restart")
	if t == nil {
		f.evidence = c.path + ".restartCount"
		return f
	}
	if w := c.status.State.Waiting; !exits(t) || n < crashes && (w == nil || w.Reason != f.reason) { // which does not back off yet
		f.reason = cmp.Or(t.Reason, "Error")
	}
	f.ended, f.message = endedOf(c, t), l.end(c, t)
	f.message += wrote(t)
	if by := l.killer(c, t); by != "" {
		f.label, f.briefs = failing(by), []string{restarting}
		if e := l.probeEvent(by, c.Name, t.StartedAt.Time); e != nil {
			f.message += "; " + e.Message
		}
	} else if l.hookFailed(c, t) {
		f.message += "; its postStart hook failed"
		if t.ExitCode == killed || t.ExitCode == stopped { // else it may have ended before the hook did
			f.label, f.briefs = "postStart hook failing", []string{restarting}
		}
	}
	if f.label == "" && c.init && !c.sidecar() {
		f.label = "Init:" + f.reason // as kubectl has it
	}
	if f.label == "" && exits(t) || c.init && exits(t) {
		f.next = l.logs(c, c.status.State.Terminated == nil)
	}
	f.began, f.since = l.notReadySince(), l.notReadySince()
	if f.since.IsZero() {
		f.since = t.FinishedAt.Time
	}
	return f
}

// killed and stopped are the exit codes of a process that SIGKILL or SIGTERM ended.
const (
	killed  = 128 + 9
	stopped = 128 + 15
)

// hookFailed reports whether a container's postStart hook failed in its last run: the kubelet
// ends it then (pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer, v1.37.1).
func (l look) hookFailed(c container, t *corev1.ContainerStateTerminated) bool {
	return !t.StartedAt.IsZero() && slices.ContainsFunc(l.events, func(e *corev1.Event) bool {
		return e.InvolvedObject.UID == l.pod.UID && e.Reason == "FailedPostStartHook" && ofContainer(e, c.Name) && !events.Last(e).Before(t.StartedAt.Time)
	})
}

// endedOf says how a container's last run ended, and how often it was restarted.
func endedOf(c container, t *corev1.ContainerStateTerminated) string {
	return ended(t) + ", " + format.Plural(int64(c.status.RestartCount), "restart")
}

// end says besides how long ago that was.
func (l look) end(c container, t *corev1.ContainerStateTerminated) string {
	text := endedOf(c, t)
	if !t.FinishedAt.IsZero() {
		text += ", last " + format.Age(t.FinishedAt.Time, l.Now) + " ago"
	}
	return text
}

// mostWritten is how many characters of a termination message are worth a line.
const mostWritten = 200

// wrote is the termination message of a run that ended by itself: of several lines the last,
// which at the end of a log (terminationMessagePolicy FallbackToLogsOnError) says most; nothing of one
// that was redacted. What the runtime says of a container that did not start stands as it is.
func wrote(t *corev1.ContainerStateTerminated) string {
	text := strings.TrimSpace(t.Message)
	switch {
	case text == "" || redact.StandIn(text):
		return ""
	case !exits(t):
		return "; " + text
	}
	if i := strings.LastIndexAny(text, "\r\n"); i >= 0 {
		text = "… " + strings.TrimSpace(text[i+1:])
	}
	if all := []rune(text); len(all) > mostWritten {
		text = string(all[:mostWritten]) + "…"
	}
	return "; " + text
}

// exits reports whether a run ended by itself, so that what it wrote may say why. What
// did not start has written nothing (containerd and CRI-O, as the kubelet passes it on).
func exits(t *corev1.ContainerStateTerminated) bool {
	return t.Reason != "OOMKilled" && t.Reason != "StartError" && t.Reason != "ContainerCannotRun"
}

// logs is the command that shows what a container wrote in its run, or in the one
// before it.
func (l look) logs(c container, previous bool) string {
	command := fmt.Sprintf("kubectl logs %s -c %s", l.pod.Name, c.Name)
	if previous {
		command += " --previous"
	}
	return command + " -n " + l.pod.Namespace
}

// restarting is the label of a container that ends again and again, and runs now.
const restarting = "restarting"

// Restarts reports whether a Pod has a container that ends again and again, and runs now.
func (o Options) Restarts(pod *corev1.Pod) bool {
	_, found := look{pod: pod, Options: o}.flapping()
	return found
}

// flapping is the cause of an available Pod that flaps. It waits for nothing and blocks
// nothing, as long as the Pod is available.
func flapping(pod *corev1.Pod, events []*corev1.Event, o Options) decision.Cause {
	l := look{pod: pod, events: events, Options: o}
	c, _ := l.flapping()
	t := c.status.LastTerminationState.Terminated
	f := l.crash(c, t)
	return decision.Cause{
		Object: refOf(pod), Reason: f.reason, Label: cmp.Or(f.label, restarting), Briefs: f.briefs, Container: c.Name, Within: l.several(), Ended: f.ended,
		Message: "available now; " + f.message, Since: t.FinishedAt.Time, Evidence: f.evidence, Pod: ColumnsOf(pod), Class: string(Flapping),
		Next: cmp.Or(f.next, describe("pod", pod.Namespace, pod.Name)),
	}
}

// flapping finds the container of an available Pod that ends again and again.
func (l look) flapping() (container, bool) {
	for _, c := range append(l.mainContainers(), l.sidecars()...) {
		if l.flaps(c) {
			return c, true
		}
	}
	return container{}, false
}

// flaps reports whether a container ends again and again, and runs now.
func (l look) flaps(c container) bool {
	return c.status.RestartCount >= crashes && c.status.State.Running != nil && (l.endedLately(c) || l.ranOutOfMemory(c))
}

// ranOutOfMemory reports whether the last run of a container was killed for its memory in the
// last hour: one whose memory grows runs for longer than its back-off counts, and is killed again.
func (l look) ranOutOfMemory(c container) bool {
	t := c.status.LastTerminationState.Terminated
	return t != nil && t.Reason == "OOMKilled" && l.Now.Sub(t.FinishedAt.Time) < recently
}

// endedLately reports whether a container that runs has ended a short while ago though it
// was to run on. An init container is to end, and runs again with a new sandbox.
func (l look) endedLately(c container) bool {
	t := c.status.LastTerminationState.Terminated
	return view.EndedLately(&c.status, l.Now) && (t.ExitCode != 0 || t.Signal != 0 || !c.init || c.sidecar())
}

// crashedLately finds a crash loop of a Pod that has become ready at an instant: a
// short time of readiness does not end one.
func (l look) crashedLately(ready time.Time) (finding, bool) {
	if ready.IsZero() || l.Now.Sub(ready) >= cleared {
		return finding{}, false
	}
	c, found := l.flapping()
	if !found || !l.endedLately(c) {
		return finding{}, false
	}
	f := l.crash(c, c.status.LastTerminationState.Terminated)
	f.container, f.within = c.Name, l.several()
	f.since = c.status.LastTerminationState.Terminated.FinishedAt.Time
	return f, true
}
