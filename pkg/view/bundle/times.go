package bundle

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// newest is the latest instant seen, and the object it was seen in.
type newest struct {
	at time.Time
	of string
}

// referable is what has a name for messages.
type referable interface{ ref() string }

func (n *newest) see(t time.Time, of referable) {
	if t.After(n.at) {
		n.at, n.of = t, of.ref()
	}
}

// clock collects the latest of many instants.
type clock struct{ at time.Time }

//go:noinline
func (c *clock) see(times ...metav1.Time) {
	for _, t := range times {
		if t.After(c.at) {
			c.at = t.Time
		}
	}
}

func (c *clock) seePointer(times ...*metav1.Time) {
	for _, t := range times {
		if t != nil {
			c.see(*t)
		}
	}
}

func (c *clock) seeMicro(times ...*metav1.MicroTime) {
	for _, t := range times {
		if t != nil {
			c.see(metav1.Time{Time: t.Time})
		}
	}
}

func (c *clock) metadata(obj metav1.Object) {
	c.see(obj.GetCreationTimestamp())
	for _, m := range obj.GetManagedFields() {
		c.seePointer(m.Time)
	}
	if deleted := obj.GetDeletionTimestamp(); deleted != nil {
		// The API server sets it to when the grace period will be over.
		grace := obj.GetDeletionGracePeriodSeconds()
		if grace == nil {
			grace = new(int64)
		}
		c.see(metav1.Time{Time: deleted.Add(-time.Duration(*grace) * time.Second)})
	}
}

func (c *clock) pod(s *corev1.PodStatus) {
	c.seePointer(s.StartTime)
	for i := range s.Conditions {
		c.see(s.Conditions[i].LastTransitionTime, s.Conditions[i].LastProbeTime)
	}
	for _, statuses := range [][]corev1.ContainerStatus{s.InitContainerStatuses, s.ContainerStatuses, s.EphemeralContainerStatuses} {
		for i := range statuses {
			c.container(&statuses[i].State)
			c.container(&statuses[i].LastTerminationState)
		}
	}
}

func (c *clock) container(s *corev1.ContainerState) {
	if s.Running != nil {
		c.see(s.Running.StartedAt)
	}
	if s.Terminated != nil {
		c.see(s.Terminated.StartedAt, s.Terminated.FinishedAt)
	}
}

func (c *clock) event(e *corev1.Event) {
	c.see(e.FirstTimestamp, e.LastTimestamp)
	c.seeMicro(&e.EventTime)
	if e.Series != nil {
		c.seeMicro(&e.Series.LastObservedTime)
	}
}

func (c *clock) job(s *batchv1.JobStatus) {
	c.seePointer(s.StartTime, s.CompletionTime)
	for i := range s.Conditions {
		c.see(s.Conditions[i].LastTransitionTime, s.Conditions[i].LastProbeTime)
	}
}
