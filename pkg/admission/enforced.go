package admission

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Enforced is a changed object as admission looks at it soon: the quota controller brings
// status.hard of a ResourceQuota up to spec.hard within milliseconds (syncResourceQuota of
// pkg/controller/resourcequota/resource_quota_controller.go, v1.37.1). What it would have to
// count first is left out. Other objects are returned as they are.
func Enforced(obj metav1.Object) metav1.Object {
	q, ok := obj.(*corev1.ResourceQuota)
	if !ok {
		return obj
	}
	q = q.DeepCopy()
	q.Status.Hard = corev1.ResourceList{}
	for name, hard := range q.Spec.Hard {
		if _, counted := q.Status.Used[name]; counted {
			q.Status.Hard[name] = hard
		}
	}
	return q
}
