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

// WritePod is a request that changes metadata and containers of a Pod, which change is handed
// a copy of that shares the rest.
//
//go:noinline // it is called at many places
func WritePod(verb cluster.Verb, p *corev1.Pod, change func(*corev1.Pod)) cluster.Write {
	return write(verb, p, func(p *corev1.Pod) {
		if p.Labels = maps.Clone(p.Labels); p.Labels == nil {
			p.Labels = map[string]string{}
		}
		p.Annotations, p.Finalizers, p.Spec.Containers = maps.Clone(p.Annotations), slices.Clone(p.Finalizers), slices.Clone(p.Spec.Containers)
		change(p)
	})
}

// WritePodStatus is a request that changes conditions of a Pod.
//
//go:noinline // it is called at many places
func WritePodStatus(p *corev1.Pod, change func(*corev1.Pod)) cluster.Write {
	w := write(cluster.Update, p, func(p *corev1.Pod) {
		p.Status.Conditions = slices.Clone(p.Status.Conditions)
		change(p)
	})
	w.Status = true
	return w
}

func write(verb cluster.Verb, p *corev1.Pod, change func(*corev1.Pod)) cluster.Write {
	return cluster.Write{
		Verb: verb, Kind: view.Pods, Namespace: p.Namespace, Name: p.Name,
		Stored: func(now metav1.Object) metav1.Object {
			p, ok := now.(*corev1.Pod)
			if !ok {
				return now
			}
			next := *p
			change(&next)
			return &next
		},
	}
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
//
//go:noinline // it is called at many places
func Stamp(now time.Time) metav1.Time { return metav1.Time{Time: now.Truncate(time.Second)} }
