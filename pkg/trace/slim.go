package trace

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// slim drops on arrival what no handler and no decision looks at: which fields
// each manager wrote, and nearly the whole spec of Pods but those whose
// controller writes on them. It is a transform of client-go's queue.
func (w podLabels) slim(obj any) (any, error) {
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		return t, nil
	}
	m, ok := obj.(metav1.Object)
	if !ok {
		return obj, nil
	}
	if pod, isPod := obj.(*corev1.Pod); isPod {
		w.slimPod(pod)
		return pod, nil
	}
	m.SetManagedFields(managers(m.GetManagedFields()))
	return obj, nil
}

func (w podLabels) slimPod(p *corev1.Pod) {
	if writes, ok := w.of(p); ok {
		p.SetManagedFields(labelWriters(p.GetManagedFields(), writes.labels))
		return
	}
	p.SetManagedFields(nil)
	p.Spec = corev1.PodSpec{NodeName: p.Spec.NodeName, InitContainers: sidecars(p.Spec.InitContainers)}
	p.Status = corev1.PodStatus{
		Phase: p.Status.Phase, Conditions: conditions(p.Status.Conditions),
		ContainerStatuses: restarts(p.Status.ContainerStatuses), InitContainerStatuses: restarts(p.Status.InitContainerStatuses),
	}
}

func sidecars(all []corev1.Container) []corev1.Container {
	var out []corev1.Container
	for _, c := range all {
		out = append(out, corev1.Container{Name: c.Name, RestartPolicy: c.RestartPolicy})
	}
	return out
}

func conditions(all []corev1.PodCondition) []corev1.PodCondition {
	var out []corev1.PodCondition
	for _, c := range all {
		if c.Type == corev1.PodReady {
			out = append(out, corev1.PodCondition{Type: c.Type, Status: c.Status, LastTransitionTime: c.LastTransitionTime})
		}
	}
	return out
}

// restarts leaves out containers that never restarted: none counts for less than none.
func restarts(all []corev1.ContainerStatus) []corev1.ContainerStatus {
	var out []corev1.ContainerStatus
	for _, c := range all {
		if c.RestartCount > 0 {
			out = append(out, corev1.ContainerStatus{Name: c.Name, RestartCount: c.RestartCount})
		}
	}
	return out
}
