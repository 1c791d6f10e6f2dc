package health

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
)

// probe is how the kubelet names one in its events, "" for none.
type probe string

const (
	startup   probe = "Startup"
	liveness  probe = "Liveness"
	readiness probe = "Readiness"
)

// failing is the label of a container of which a probe fails.
func failing(p probe) string { return strings.ToLower(string(p)) + " probe failing" }

// delayed says when a probe of a container begins, or otherwise how it stands
// (pkg/kubelet/prober/worker.go doProbe, v1.37.1).
func (l look) delayed(p *corev1.Probe, r *corev1.ContainerStateRunning, stands string) string {
	begins := r.StartedAt.Add(time.Duration(p.InitialDelaySeconds) * time.Second)
	if r.StartedAt.IsZero() || !l.Now.Before(begins) {
		return stands
	}
	return fmt.Sprintf("begins in %s (initialDelaySeconds %d)", duration.HumanDuration(begins.Sub(l.Now)), p.InitialDelaySeconds)
}

// probeEvent is the newest event of a failed probe of a container, after an instant. The
// kubelet names the probe in its message (pkg/kubelet/prober/prober.go, v1.37.1).
func (l look) probeEvent(probe probe, container string, after time.Time) *corev1.Event {
	var newest *corev1.Event
	for _, e := range l.events {
		if e.InvolvedObject.UID == l.pod.UID && e.Reason == "Unhealthy" && strings.HasPrefix(e.Message, string(probe)+" probe ") && ofContainer(e, container) &&
			!events.Last(e).Before(after) && (newest == nil || events.Last(e).After(events.Last(newest))) {
			newest = e
		}
	}
	return newest
}

// ofContainer reports whether an event may be about a container: the kubelet names it as
// spec.containers{name} (pkg/kubelet/container/ref.go GenerateContainerRef, v1.37.1).
func ofContainer(e *corev1.Event, name string) bool {
	path := e.InvolvedObject.FieldPath
	return path == "" || strings.HasSuffix(path, "{"+name+"}")
}

// killer is the probe for which the kubelet ended a container's last run, "" where no event
// tells one (pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions, of a sidecar
// kuberuntime_container.go computeInitContainerActions, v1.37.1).
func (l look) killer(c container, t *corev1.ContainerStateTerminated) probe {
	if t.Reason == "OOMKilled" || t.StartedAt.IsZero() {
		return ""
	}
	for _, p := range []probe{startup, liveness} {
		said := fmt.Sprintf("ontainer %s failed %s probe", c.Name, strings.ToLower(string(p))) // "Init container" of a sidecar
		for _, e := range l.events {
			if e.InvolvedObject.UID == l.pod.UID && e.Reason == "Killing" && strings.Contains(e.Message, said) && !events.Last(e).Before(t.StartedAt.Time) {
				return p
			}
		}
	}
	if l.probeEvent(liveness, c.Name, t.StartedAt.Time) != nil {
		return liveness
	}
	return ""
}
