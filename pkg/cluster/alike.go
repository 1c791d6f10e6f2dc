package cluster

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// failures are Pods of a controller that fail, one of each kind, and of whose containers no
// Pod is ready.
func failures(pods []*corev1.Pod) (failing []*corev1.Pod) {
	for _, p := range pods {
		if !view.Ended(p) && !podReady(p) && failed(p) && !slices.ContainsFunc(failing, func(f *corev1.Pod) bool { return alike(f, p) }) {
			failing = append(failing, p)
		}
	}
	return slices.DeleteFunc(failing, func(f *corev1.Pod) bool {
		return slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return podReady(p) && alike(f, p) })
	})
}

// StaysUnready takes a Pod that is new, or updated in place, not to become ready: it has no
// node, or one that does not answer, it fails as a Pod of the start does that is like it,
// is rejected as those like it were, or is broken by what no new image mends.
func (m *Model) StaysUnready(p *corev1.Pod) bool {
	if m.unserved(p) || m.rejected.takes(m, p) || m.classless(p) || m.unmended(p, true) || m.lacks.takes(m, p) {
		return true
	}
	i := slices.IndexFunc(m.failing, func(f *corev1.Pod) bool { return alike(p, f) })
	if i >= 0 {
		m.Note(decision.Ruled(AlikeFail, decision.F(keyPod, m.failing[i].Name)))
	}
	return i >= 0
}

// unmended reports whether a Pod that is assumed to stay unready since the start has a
// container that is not ready, or, where asked, one that waits for others.
func (m *Model) unmended(p *corev1.Pod, waits bool) bool {
	if m.broken[key(p)].rule == "" {
		return false
	}
	for _, statuses := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range statuses {
			if s := &statuses[i]; !s.Ready && (!waits || waitsForOthers(s.State.Waiting)) {
				return true
			}
		}
	}
	return false
}

// waitsForOthers reports whether a container waits for a volume, a sandbox, an init
// container, a ConfigMap or a Secret. Where the user of the image is what is refused, another
// image may help (verifyRunAsNonRoot of pkg/kubelet/kuberuntime/security_context_others.go,
// v1.37.1).
func waitsForOthers(w *corev1.ContainerStateWaiting) bool {
	if w == nil {
		return false
	}
	switch w.Reason {
	case "ContainerCreating", "PodInitializing":
		return true
	}
	return w.Reason == "CreateContainerConfigError" && !strings.Contains(w.Message, "runAsNonRoot")
}

// restartsOften reports whether a container of a Pod that is ready was restarted often, and
// again a short while ago.
func restartsOften(p *corev1.Pod, now time.Time) (times int32, often bool) {
	for _, statuses := range [][]corev1.ContainerStatus{p.Status.ContainerStatuses, p.Status.InitContainerStatuses} { // of which sidecars run
		for i := range statuses {
			s := &statuses[i]
			if s.RestartCount >= view.CrashLoop && s.State.Running != nil && view.EndedLately(s, now) {
				return s.RestartCount, podReady(p)
			}
		}
	}
	return 0, false
}

// failed reports whether a container of a Pod fails.
func failed(p *corev1.Pod) bool {
	return slices.ContainsFunc(slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses), fails)
}

// alike reports whether two Pods are of one controller, and the other has all containers of
// the first as they are. It may have more: sidecars that a webhook adds.
func alike(p, other *corev1.Pod) bool {
	own, its := metav1.GetControllerOfNoCopy(p), metav1.GetControllerOfNoCopy(other)
	return own != nil && its != nil && own.UID == its.UID &&
		holds(other.Spec.InitContainers, p.Spec.InitContainers) && holds(other.Spec.Containers, p.Spec.Containers)
}

func holds(all, wanted []corev1.Container) bool {
	return !slices.ContainsFunc(wanted, func(w corev1.Container) bool {
		return !slices.ContainsFunc(all, func(c corev1.Container) bool { return sameContainer(c, w) })
	})
}

// sameContainer reports whether the container of a Pod is that of a template. It may have
// more mounts: admission adds that of the service account's token.
func sameContainer(c, template corev1.Container) bool {
	mounts := c.VolumeMounts
	if slices.ContainsFunc(template.VolumeMounts, func(m corev1.VolumeMount) bool {
		return !slices.ContainsFunc(mounts, func(own corev1.VolumeMount) bool { return equality.Semantic.DeepEqual(own, m) })
	}) {
		return false
	}
	c.VolumeMounts, template.VolumeMounts = nil, nil
	return equality.Semantic.DeepEqual(c, template)
}
