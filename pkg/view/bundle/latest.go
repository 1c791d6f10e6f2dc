package bundle

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// latest is the newest instant at which something is known to have happened
// to the object.
func latest(obj metav1.Object) time.Time {
	c := &clock{}
	c.metadata(obj)
	switch o := obj.(type) {
	case *corev1.Pod:
		c.pod(&o.Status)
	case *corev1.Event:
		c.event(o)
	case *coordinationv1.Lease:
		c.seeMicro(o.Spec.AcquireTime, o.Spec.RenewTime)
	case *batchv1.Job:
		c.job(&o.Status)
	default:
		c.conditions(obj)
	}
	return c.at
}

// conditions sees the conditions of kinds that have no other instants.
func (c *clock) conditions(obj metav1.Object) {
	switch o := obj.(type) {
	case *corev1.Namespace:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime)
		}
	case *corev1.ReplicationController:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime)
		}
	case *appsv1.ReplicaSet:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime)
		}
	case *appsv1.Deployment:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime, x.LastUpdateTime)
		}
	case *appsv1.StatefulSet:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime)
		}
	case *corev1.Node:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime, x.LastHeartbeatTime)
		}
	case *corev1.PersistentVolumeClaim:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime)
		}
	case *unstructured.Unstructured:
		c.untyped(o)
	case *appsv1.DaemonSet:
		for _, x := range o.Status.Conditions {
			c.see(x.LastTransitionTime)
		}
	}
}

// untyped sees the conditions of an object without a Go type.
func (c *clock) untyped(o *unstructured.Unstructured) {
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions") // of another form: as good as absent
	for _, x := range conditions {
		fields, _ := x.(map[string]any)
		for _, name := range []string{"lastTransitionTime", "lastUpdateTime"} {
			text, _ := fields[name].(string)
			if t, err := time.Parse(time.RFC3339, text); err == nil {
				c.see(metav1.Time{Time: t})
			}
		}
	}
}

// stamps is the newest instant of an object of a kind that no View holds. What
// does not decode is as good as absent.
func stamps(raw []byte) time.Time {
	var o struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Status   struct {
			Conditions []struct {
				LastTransitionTime metav1.Time `json:"lastTransitionTime"`
				LastHeartbeatTime  metav1.Time `json:"lastHeartbeatTime"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if utiljson.Unmarshal(raw, &o) != nil {
		return time.Time{}
	}
	c := &clock{}
	c.metadata(&o.Metadata)
	for _, x := range o.Status.Conditions {
		c.see(x.LastTransitionTime, x.LastHeartbeatTime)
	}
	return c.at
}
