package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// oftenRejected is how many Pods kubelets have rejected before one more is taken to be.
const oftenRejected = 3

// rejected are the Pods of the start that kubelets did not admit, the youngest of those that
// are alike, where there are often enough.
type rejected struct {
	last []*corev1.Pod
	// met: a Pod that is not ready is like one of them.
	met *corev1.Pod
}

// look finds the rejected Pods of the controllers that pods are of, and that are younger
// than all like them that are ready.
func (r *rejected) look(m *Model, pods []*corev1.Pod) {
	of := map[string]bool{}
	for _, p := range pods {
		if c := metav1.GetControllerOfNoCopy(p); c != nil {
			of[string(c.UID)] = true
		}
	}
	if len(of) == 0 {
		return
	}
	var all []*corev1.Pod
	for _, obj := range m.In(view.Pods, pods[0].Namespace) {
		if c := metav1.GetControllerOfNoCopy(obj); c == nil || !of[string(c.UID)] {
			continue
		}
		if p, ok := view.Decoded(obj).(*corev1.Pod); ok && p.Status.Reason != "" && view.NeverRan(p) {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b *corev1.Pod) int { return b.CreationTimestamp.Compare(a.CreationTimestamp.Time) })
	for len(all) > 0 {
		last := all[0]
		like := func(p *corev1.Pod) bool { return alike(last, p) }
		n := len(all)
		all = slices.DeleteFunc(all, like)
		if n-len(all) >= oftenRejected && !slices.ContainsFunc(pods, func(p *corev1.Pod) bool {
			return podReady(p) && like(p) && p.CreationTimestamp.After(last.CreationTimestamp.Time)
		}) {
			r.last = append(r.last, last)
		}
	}
}

// takes reports whether a Pod that is not ready is taken to be rejected, and puts it on record.
func (r *rejected) takes(m *Model, p *corev1.Pod) bool {
	i := slices.IndexFunc(r.last, func(last *corev1.Pod) bool { return alike(p, last) })
	if i < 0 {
		return false
	}
	r.met = r.last[i]
	m.Note(decision.Ruled(RejectedAgain, decision.F(keyPod, r.met.Name), decision.F(keyReason, r.met.Status.Reason)))
	return true
}

// Rejects is why kubelets are taken to reject each Pod that is created; empty where they are
// not.
func (m *Model) Rejects() string {
	if m.rejected.met == nil {
		return ""
	}
	return m.rejected.met.Status.Reason
}
