package inplace

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Restarts lets the kubelet of a model cluster restart or resize the containers that an
// update in place changes: that is done after the batch's part of the time that Pods
// take, unless Pods like it fail.
func Restarts(w *cluster.Model) {
	read := states{}
	w.Watch(view.Pods, func(was, now metav1.Object) {
		before, old := was.(*corev1.Pod)
		p, pod := now.(*corev1.Pod)
		if !old || !pod || !read.begins(before, p) {
			return
		}
		st, _ := read.of(p)
		running := keepsRunning(p)
		if !running {
			cluster.SetPodCondition(w, p, corev1.ContainersReady, false)
		}
		if !w.StaysUnready(p) {
			cluster.LaterPod(w, p, st.Part(w, p), func(p *corev1.Pod) { read.containersUp(w, p, running) })
		}
	})
}

// states are the records of updates in place by their text: Pods that were updated
// together have the same one, which is read once.
type states map[string]State

// of is StateOf.
func (s states) of(p *corev1.Pod) (State, bool) {
	text := kruise.Annotation(p, kruise.UpdateAnnotation, kruise.OldUpdate)
	st, known := s[text]
	if known {
		return st, true
	}
	st, ok := StateOf(p)
	if ok {
		s[text] = st
	}
	return st, ok
}

// begins reports whether a batch of containers was changed between two versions of
// a Pod.
func (s states) begins(was, now *corev1.Pod) bool {
	if now.Annotations[kruise.UpdateAnnotation] == was.Annotations[kruise.UpdateAnnotation] {
		return false
	}
	st, ok := s.of(now)
	n := len(st.ContainerBatchesRecord)
	if !ok || n == 0 || len(st.ContainerBatchesRecord[n-1].Containers) == 0 {
		return false
	}
	before, _ := s.of(was)
	return before.Revision != st.Revision || before.UpdateTimestamp != st.UpdateTimestamp || len(before.ContainerBatchesRecord) != n
}

// Part returns the time that one batch takes.
func (st *State) Part(w *cluster.Model, p *corev1.Pod) time.Duration {
	n := len(st.ContainerBatchesRecord) + len(st.Next().batches(p))
	if n > 1 {
		w.Note(decision.Ruled(cluster.LaunchBatches))
	}
	return w.ReadyAfter() / time.Duration(max(1, n))
}

// ContainersUp is what the kubelet, and the kruise-daemon where it is asked,
// report of a pod whose changed containers run.
func ContainersUp(w *cluster.Model, p *corev1.Pod) { states{}.containersUp(w, p, false) }

func (s states) containersUp(w *cluster.Model, p *corev1.Pod, running bool) {
	st, ok := s.of(p)
	if !running {
		for _, name := range st.underWay() {
			report(p, name)
		}
		cluster.PodUp(w, p)
	}
	if ok {
		st.UpdateEnvFromMetadata, st.UpdateResources = false, false
		annotate(p, kruise.UpdateAnnotation, st)
	}
}

// keepsRunning reports whether an update in place restarts no container of a Pod as it is
// written, as one of resources may: it has left the Pod's gate open (LeavesService).
func keepsRunning(p *corev1.Pod) bool {
	c := kruise.InPlaceCondition(p)
	return c != nil && c.Status == corev1.ConditionTrue
}

// underWay are the containers of the latest batch.
func (st *State) underWay() []string {
	if n := len(st.ContainerBatchesRecord); n > 0 {
		return st.ContainerBatchesRecord[n-1].Containers
	}
	return slices.Sorted(maps.Keys(st.LastContainerStatuses))
}

// report makes a container's status that of its image.
func report(p *corev1.Pod, container string) {
	i := slices.IndexFunc(p.Spec.Containers, func(c corev1.Container) bool { return c.Name == container })
	if i < 0 {
		return
	}
	image := p.Spec.Containers[i].Image
	now := corev1.ContainerStatus{Name: container, Image: image, ImageID: "new:" + image, Ready: true}
	was := kruise.ContainerStatus(p, container)
	if was == nil {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, now)
		return
	}
	now.RestartCount = was.RestartCount + 1
	*was = now
}
