package health

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

func instant(t *rapid.T) metav1.Time {
	if rapid.Bool().Draw(t, "unset") {
		return metav1.Time{}
	}
	return metav1.NewTime(now.Add(-time.Duration(rapid.IntRange(-5, 40).Draw(t, "before")) * 30 * time.Second))
}

var words = []string{"", "CrashLoopBackOff", "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CreateContainerConfigError",
	"CreateContainerError", "ContainerCreating", "PodInitializing", "OOMKilled", "Error", "Completed", "Unschedulable", "Evicted", "NodeLost"}

func end(t *rapid.T) *corev1.ContainerStateTerminated {
	if rapid.Bool().Draw(t, "no end") {
		return nil
	}
	return &corev1.ContainerStateTerminated{Reason: rapid.SampledFrom(words).Draw(t, "reason"),
		ExitCode: rapid.Int32Range(0, 2).Draw(t, "code"), StartedAt: instant(t), FinishedAt: instant(t)}
}

func containerStatus(t *rapid.T, name string) corev1.ContainerStatus {
	s := corev1.ContainerStatus{Name: name, RestartCount: rapid.Int32Range(0, 5).Draw(t, "restarts"), Ready: rapid.Bool().Draw(t, "ready")}
	if rapid.Bool().Draw(t, "started known") {
		s.Started = new(rapid.Bool().Draw(t, "started"))
	}
	switch rapid.IntRange(0, 3).Draw(t, "state") {
	case 0:
		s.State.Waiting = &corev1.ContainerStateWaiting{Reason: rapid.SampledFrom(words).Draw(t, "waits"),
			Message: rapid.SampledFrom([]string{"", "not found", "429", "denied"}).Draw(t, "message")}
	case 1:
		s.State.Running = &corev1.ContainerStateRunning{StartedAt: instant(t)}
	case 2:
		s.State.Terminated = end(t)
	}
	s.LastTerminationState.Terminated = end(t)
	return s
}

// anyPod is a Pod as no API server may store it: nothing is too odd.
func anyPod(t *rapid.T) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", UID: "u", CreationTimestamp: instant(t)}}
	p.Spec.NodeName = rapid.SampledFrom([]string{"", "n1"}).Draw(t, "node")
	for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 2).Draw(t, "containers") {
		c := corev1.Container{Name: name, Image: "i"}
		if rapid.Bool().Draw(t, "probe") {
			c.ReadinessProbe = &corev1.Probe{}
		}
		if rapid.Bool().Draw(t, "init") {
			if rapid.Bool().Draw(t, "sidecar") {
				c.RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
			}
			p.Spec.InitContainers = append(p.Spec.InitContainers, c)
			p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, containerStatus(t, name))
		} else {
			p.Spec.Containers = append(p.Spec.Containers, c)
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, containerStatus(t, name))
		}
	}
	for _, kind := range rapid.SliceOf(rapid.SampledFrom([]corev1.PodConditionType{corev1.PodReady, corev1.PodScheduled, corev1.PodInitialized, "gate"})).Draw(t, "conditions") {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kind, Reason: rapid.SampledFrom(words).Draw(t, "why"),
			Status: rapid.SampledFrom([]corev1.ConditionStatus{"True", "False", "Unknown", ""}).Draw(t, "is"), LastTransitionTime: instant(t)})
	}
	p.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{"", "Pending", "Running", "Running", "Running", "Failed", "Succeeded"}).Draw(t, "phase")
	if rapid.IntRange(0, 3).Draw(t, "deleting") == 0 {
		p.DeletionTimestamp = new(instant(t))
		p.Finalizers = rapid.SliceOfN(rapid.Just("f"), 0, 1).Draw(t, "finalizers")
	}
	if rapid.Bool().Draw(t, "gated") {
		p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "gate"}}
	}
	return p
}

func anyEvents(t *rapid.T) []*corev1.Event {
	var all []*corev1.Event
	for _, reason := range rapid.SliceOf(rapid.SampledFrom([]string{"TriggeredScaleUp", "FailedMount", "Failed", "Unhealthy"})).Draw(t, "events") {
		all = append(all, &corev1.Event{Reason: reason, LastTimestamp: instant(t), InvolvedObject: corev1.ObjectReference{UID: "u"},
			Message: rapid.SampledFrom([]string{"Readiness probe failed", "Failed to pull image i: not found", "not found"}).Draw(t, "says")})
	}
	return all
}

// A Pod gets a cause exactly when it is not available, whatever its status is.
// What has a grace does not block before the end of it.
func TestAnyPod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, all := anyPod(t), anyEvents(t)
		o := Options{Now: now, MinReady: time.Duration(rapid.IntRange(0, 1).Draw(t, "minReady")) * 30 * time.Second,
			Deadline: time.Duration(rapid.IntRange(0, 1).Draw(t, "deadline")) * 5 * time.Minute}
		c, ok := Pod(p, all, o)
		if ok == o.available(p) {
			t.Fatalf("available %v, cause %v", o.available(p), ok)
		}
		if !ok {
			return
		}
		if c.Reason == "" || c.Message == "" || c.Label == "" || c.Evidence == "" {
			t.Fatalf("something is not said: %+v", c)
		}
		f := look{pod: p, events: all, Options: o}.find()
		begin, g := o, graces[f.class]
		if c.Blocked && f.crashes < crashes && !g.atOnce() {
			begin.Now = f.began.Add(g.After - 1)
			if g.Deadline && o.Deadline > 0 {
				begin.Now = f.began.Add(o.Deadline - 1)
			}
			if g.Never || f.began.IsZero() || o.Now.Before(begin.Now) {
				t.Fatalf("blocks before its grace: %+v", c)
			}
		}
		later := o
		later.Now = now.Add(time.Hour)
		if then, still := Pod(p, all, later); still && c.Blocked && f.crashes == 0 && !then.Blocked {
			t.Fatalf("blocks now and not later: %+v, then %+v", c, then)
		}
	})
}
