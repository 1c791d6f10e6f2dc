package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// vacancies are the places on nodes that Pods have left, and the Unschedulable Pods that may
// take them, the oldest first. crowded are those of the start.
type vacancies struct {
	left    []*corev1.Pod
	waiting []*corev1.Pod
	crowded []*corev1.Pod
}

// wait lets a Pod wait for a place.
func (s *vacancies) wait(m *Model, p *corev1.Pod) {
	s.waiting = append(s.waiting, p)
	m.Note(decision.Ruled(PlacesTaken))
}

// crowdedOut is the Unschedulable Pod of the start that a new one waits as: it is like it, or
// asks for no less.
func (s *vacancies) crowdedOut(p *corev1.Pod) (like *corev1.Pod, found bool) {
	i := slices.IndexFunc(s.crowded, func(w *corev1.Pod) bool { return alike(p, w) || places.AwaitsAs(p, w) })
	if i < 0 {
		return nil, false
	}
	return s.crowded[i], true
}

// vacate hands the place of a Pod that is gone to the first Pod that asks for no more.
func (s *vacancies) vacate(m *Model, gone *corev1.Pod) {
	if gone.Spec.NodeName == "" || view.Ended(gone) {
		return
	}
	s.left = append(s.left, gone)
	s.seat(m)
}

// seat lets waiting Pods take places.
func (s *vacancies) seat(m *Model) {
	s.waiting = slices.DeleteFunc(s.waiting, func(w *corev1.Pod) bool {
		p, ok := GetPod(m, w.Namespace, w.Name)
		if !ok || p.UID != w.UID || p.DeletionTimestamp != nil {
			return true
		}
		i := slices.IndexFunc(s.left, func(gone *corev1.Pod) bool {
			return places.Leaves(gone, p) && places.Fits(p, m.nodeOf(gone)) && (places.Preempted(gone) == nil || m.cleared(gone.Spec.NodeName))
		})
		if i < 0 {
			return false
		}
		p.Spec.NodeName = s.left[i].Spec.NodeName
		s.left = slices.Delete(s.left, i, i+1)
		set(m, p, corev1.PodScheduled, true)
		m.Put(view.Pods, p)
		m.begin(p)
		return true
	})
}

// mostWaiting is at how many Pods that wait for a place Vacates looks: most are alike.
const mostWaiting = 10

// Vacates reports whether a Pod, once it is gone, leaves a place that one of those that wait may take.
func (m *Model) Vacates(namespace, name string) bool {
	waiting := m.places.waiting
	obj, _ := m.Get(view.Pods, namespace, name)
	gone, found := obj.(*corev1.Pod)
	return found && gone.Spec.NodeName != "" && slices.ContainsFunc(waiting[:min(len(waiting), mostWaiting)], func(w *corev1.Pod) bool {
		return places.Leaves(gone, w) && places.Fits(w, m.nodeOf(gone))
	})
}

// cleared reports whether all Pods that were preempted on a node are gone.
func (m *Model) cleared(node string) bool {
	return !slices.ContainsFunc(m.AllMetadata(view.Pods), func(obj metav1.Object) bool {
		if obj.GetDeletionTimestamp() == nil {
			return false
		}
		p, whole := view.Decoded(obj).(*corev1.Pod)
		return whole && p.Spec.NodeName == node && places.Preempted(p) != nil
	})
}

// Homeless is a Pod that still waits for a place, and one whose place it may fit, for all
// that is known.
func (m *Model) Homeless() (waits, gone string, found bool) {
	for _, w := range m.places.waiting {
		i := slices.IndexFunc(m.places.left, func(gone *corev1.Pod) bool {
			return places.Preempted(gone) == nil && places.Fits(w, m.nodeOf(gone))
		})
		if _, there := m.Get(view.Pods, w.Namespace, w.Name); there && i >= 0 {
			return w.Name, m.places.left[i].Name, true
		}
	}
	return "", "", false
}
