package kruise

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// WritePod is a request that changes a Pod, which change is handed a copy of.
func WritePod(verb cluster.Verb, p *corev1.Pod, change func(*corev1.Pod)) cluster.Write {
	return cluster.Write{
		Verb: verb, Kind: view.Pods, Namespace: p.Namespace, Name: p.Name,
		Stored: func(now metav1.Object) metav1.Object {
			p, ok := now.(*corev1.Pod)
			if !ok {
				return now
			}
			next := editable(p)
			change(next)
			return next
		},
	}
}

// WritePodStatus is a request that changes the status of a Pod.
func WritePodStatus(p *corev1.Pod, change func(*corev1.Pod)) cluster.Write {
	w := WritePod(cluster.Update, p, change)
	w.Status = true
	return w
}

// editable is a copy of a Pod of which may be changed what controllers change. It
// shares the rest.
func editable(p *corev1.Pod) *corev1.Pod {
	next := *p
	if next.Labels = maps.Clone(p.Labels); next.Labels == nil {
		next.Labels = map[string]string{}
	}
	next.Annotations, next.Finalizers = maps.Clone(p.Annotations), slices.Clone(p.Finalizers)
	next.Spec.Containers, next.Status.Conditions = slices.Clone(p.Spec.Containers), slices.Clone(p.Status.Conditions)
	return &next
}

// Deletion is the request that deletes an object.
func Deletion(k view.Kind, obj decision.Ref) cluster.Write {
	return cluster.Write{Verb: cluster.Delete, Kind: k, Namespace: obj.Namespace, Name: obj.Name}
}

// SetPodCondition mirrors SetPodCondition (pkg/util/pods.go, v1.9.1): one of the same
// status stays as it is.
func SetPodCondition(p *corev1.Pod, t corev1.PodConditionType, status corev1.ConditionStatus, now metav1.Time) {
	c := view.Condition(p, t)
	switch {
	case c == nil:
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: t, Status: status, LastTransitionTime: now})
	case c.Status != status:
		*c = corev1.PodCondition{Type: t, Status: status, LastTransitionTime: now}
	}
}

// Stamp returns an instant as the API server stores it, to the second.
func Stamp(now time.Time) metav1.Time { return metav1.Time{Time: now.Truncate(time.Second)} }
