package cloneset

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

// restarts lets the kubelet of a model cluster restart the containers that an
// update in place changes: they are up again after the batch's part of the time
// that Pods take.
func restarts(w *cluster.Model) {
	w.Watch(view.Pods, func(was, now metav1.Object) {
		before, old := was.(*corev1.Pod)
		p, pod := now.(*corev1.Pod)
		if !old || !pod || !begins(before, p) {
			return
		}
		st, _ := updateOf(p)
		cluster.SetPodCondition(w, p, corev1.ContainersReady, false)
		cluster.LaterPod(w, p, st.part(w, p), func(p *corev1.Pod) { containersUp(w, p) })
	})
}

// begins reports whether a batch of containers was changed between two versions of
// a Pod.
func begins(was, now *corev1.Pod) bool {
	if now.Annotations[kruise.UpdateAnnotation] == was.Annotations[kruise.UpdateAnnotation] {
		return false
	}
	st, ok := updateOf(now)
	n := len(st.ContainerBatchesRecord)
	if !ok || n == 0 || len(st.ContainerBatchesRecord[n-1].Containers) == 0 {
		return false
	}
	before, _ := updateOf(was)
	return before.Revision != st.Revision || before.UpdateTimestamp != st.UpdateTimestamp || len(before.ContainerBatchesRecord) != n
}

// part is the time that one batch takes.
func (st *inPlaceState) part(w *cluster.Model, p *corev1.Pod) time.Duration {
	n := len(st.ContainerBatchesRecord) + len(st.next().batches(p))
	if n > 1 {
		w.Note(decision.Ruled(cluster.LaunchBatches))
	}
	return w.ReadyAfter() / time.Duration(max(1, n))
}

// containersUp is what the kubelet, and the kruise-daemon where it is asked,
// report of a pod whose changed containers run.
func containersUp(w *cluster.Model, p *corev1.Pod) {
	if st, ok := updateOf(p); ok {
		for _, name := range st.underWay() {
			report(p, name)
		}
		st.UpdateEnvFromMetadata, st.UpdateResources = false, false
		annotate(p, kruise.UpdateAnnotation, st)
	}
	cluster.PodUp(w, p)
}

// underWay are the containers of the latest batch.
func (st *inPlaceState) underWay() []string {
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
	at := slices.IndexFunc(p.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.Name == container })
	if at < 0 {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, now)
		return
	}
	now.RestartCount = p.Status.ContainerStatuses[at].RestartCount + 1
	p.Status.ContainerStatuses[at] = now
}
