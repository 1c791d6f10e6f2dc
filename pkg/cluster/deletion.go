package cluster

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// defaultGrace is what the API server sets as terminationGracePeriodSeconds.
const defaultGrace = 30

// DeletePod makes the pod terminate, as the API server does with a DELETE.
func DeletePod(m *Model, namespace, name string) {
	p, ok := GetPod(m, namespace, name)
	if !ok || p.DeletionTimestamp != nil {
		return
	}
	grace := int64(defaultGrace)
	switch {
	case p.Spec.NodeName == "": // no kubelet to wait for
		grace = 0
	case p.Spec.TerminationGracePeriodSeconds != nil:
		grace = *p.Spec.TerminationGracePeriodSeconds
	}
	at := metav1.Time{Time: m.Stamp().Add(time.Duration(grace) * time.Second)}
	p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &at, &grace
	m.Put(view.Pods, p)
	if grace > 0 {
		m.Note(decision.Ruled(WholeGracePeriod))
	}
	leave(m, p, time.Duration(grace)*time.Second)
}

// leave lets a terminating pod go after d. Finalizers keep it: nobody is taken
// to remove them.
func leave(m *Model, p *corev1.Pod, d time.Duration) {
	if len(p.Finalizers) > 0 {
		m.Note(decision.Ruled(FinalizersStay))
		return
	}
	namespace, name, uid := p.Namespace, p.Name, p.UID
	m.After(d, func() {
		if now, ok := GetPod(m, namespace, name); ok && now.UID == uid {
			m.Drop(view.Pods, now)
			m.charge(now, -1)
		}
	})
}

// BeginPods schedules what happens to pods that are there at the start: those that
// start become ready in time, those that terminate go. since is from when on a
// pod has been starting; nil for its creation.
func BeginPods(m *Model, pods []*corev1.Pod, since func(*corev1.Pod) time.Time) {
	late := 0
	for _, p := range pods {
		switch {
		case p.DeletionTimestamp != nil:
			if left := p.DeletionTimestamp.Sub(m.Now()); left > 0 {
				leave(m, p, left)
			}
		case finished(p) || PodReady(p):
		default:
			from := p.CreationTimestamp.Time
			if since != nil {
				from = since(p)
			}
			if left := from.Add(m.ReadyAfter()).Sub(m.Now()); left > 0 {
				ready(m, p, left)
			} else {
				late++
			}
		}
	}
	if late > 0 {
		m.Note(decision.Ruled(UnreadyStay, decision.F("pods", late)))
	}
}

func finished(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// PodReady reports whether the pod's condition Ready is True.
func PodReady(p *corev1.Pod) bool {
	c := condition(p, corev1.PodReady)
	return c != nil && c.Status == corev1.ConditionTrue
}

// longest is how long a start can take to count as one: a pod that became ready
// later than this did so again.
const longest = time.Hour

// PodStartUp is how long a pod took to become ready since its creation. A pod with
// restarts became ready again since, which tells nothing.
func PodStartUp(p *corev1.Pod) (time.Duration, bool) {
	for _, s := range p.Status.ContainerStatuses {
		if s.RestartCount > 0 {
			return 0, false
		}
	}
	return PodReadySince(p, p.CreationTimestamp.Time)
}

// PodReadySince is how long after an instant a pod that is ready became so.
func PodReadySince(p *corev1.Pod, since time.Time) (time.Duration, bool) {
	c := condition(p, corev1.PodReady)
	if c == nil || c.Status != corev1.ConditionTrue || c.LastTransitionTime.IsZero() || since.IsZero() || c.LastTransitionTime.Time.Before(since) {
		return 0, false
	}
	took := c.LastTransitionTime.Sub(since)
	return took, took <= longest
}
