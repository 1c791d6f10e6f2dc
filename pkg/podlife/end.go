package podlife

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// defaultGrace is what the API server sets as terminationGracePeriodSeconds.
const defaultGrace = 30

// Delete makes the pod terminate, as the API server does with a DELETE. Gone
// is called when it is no more; nil for nothing.
func Delete(w *simulate.World, namespace, name string, gone func(*corev1.Pod)) {
	p, ok := Get(w, namespace, name)
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
	at := metav1.Time{Time: w.Stamp().Add(time.Duration(grace) * time.Second)}
	p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &at, &grace
	w.Put(view.Pods, p)
	if grace > 0 {
		w.Note(decision.Ruled(simulate.WholeGracePeriod))
	}
	leave(w, p, time.Duration(grace)*time.Second, gone)
}

// leave lets a terminating pod go after d. Finalizers keep it: nobody is taken
// to remove them.
func leave(w *simulate.World, p *corev1.Pod, d time.Duration, gone func(*corev1.Pod)) {
	if len(p.Finalizers) > 0 {
		w.Note(decision.Ruled(simulate.FinalizersStay))
		return
	}
	namespace, name, uid := p.Namespace, p.Name, p.UID
	w.After(d, func() {
		if now, ok := Get(w, namespace, name); ok && now.UID == uid {
			w.Drop(view.Pods, now)
			if gone != nil {
				gone(now)
			}
		}
	})
}

// Begin schedules what happens to pods that are there at the start: those that
// start become ready in time, those that terminate go. since is from when on a
// pod has been starting; nil for its creation.
func Begin(w *simulate.World, pods []*corev1.Pod, since func(*corev1.Pod) time.Time, gone func(*corev1.Pod)) {
	late := 0
	for _, p := range pods {
		switch {
		case p.DeletionTimestamp != nil:
			if left := p.DeletionTimestamp.Sub(w.Now()); left > 0 {
				leave(w, p, left, gone)
			}
		case finished(p) || IsReady(p):
		default:
			from := p.CreationTimestamp.Time
			if since != nil {
				from = since(p)
			}
			if left := from.Add(w.ReadyAfter()).Sub(w.Now()); left > 0 {
				ready(w, p, left)
			} else {
				late++
			}
		}
	}
	if late > 0 {
		w.Note(decision.Ruled(simulate.UnreadyStay, decision.F("pods", late)))
	}
}

func finished(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// IsReady tells whether the pod's condition Ready is True.
func IsReady(p *corev1.Pod) bool {
	c := condition(p, corev1.PodReady)
	return c != nil && c.Status == corev1.ConditionTrue
}

// longest is how long a start can take to count as one: a pod that became ready
// later than this did so again.
const longest = time.Hour

// StartUp is how long a pod took to become ready since its creation. A pod with
// restarts became ready again since, which tells nothing.
func StartUp(p *corev1.Pod) (time.Duration, bool) {
	for _, s := range p.Status.ContainerStatuses {
		if s.RestartCount > 0 {
			return 0, false
		}
	}
	return ReadySince(p, p.CreationTimestamp.Time)
}

// ReadySince is how long after an instant a pod that is ready became so.
func ReadySince(p *corev1.Pod, since time.Time) (time.Duration, bool) {
	c := condition(p, corev1.PodReady)
	if c == nil || c.Status != corev1.ConditionTrue || c.LastTransitionTime.IsZero() || since.IsZero() || c.LastTransitionTime.Time.Before(since) {
		return 0, false
	}
	took := c.LastTransitionTime.Sub(since)
	return took, took <= longest
}
