package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// subjectOf is what can be told of a set to somebody who asks what its real controller may
// be waiting for. Errors: as Decide's.
func subjectOf(r *view.Reader, p profile.Profile, t view.Target) (*inference.Subject, error) {
	set, err := load(r, t)
	if err != nil {
		return nil, err
	}
	s := &inference.Subject{
		Target: ownership.RefTo(t.Kind, set), Kind: t.Kind, Object: set, Wanted: int(*set.Spec.Replicas), Observed: set.Status.ObservedGeneration,
		Controller: inference.Controller{
			Name: "StatefulSet controller", Program: lease.ControllerManager, Unelected: p.Unelected, Refused: "FailedCreate",
			Events: map[string]inference.Event{ // recordPodEvent of stateful_pod_control.go
				"SuccessfulCreate": {Verb: decision.Create, Before: " Pod "},
				"SuccessfulDelete": {Verb: decision.Delete, Before: " Pod "},
			},
			ReadsBack: behaviourOf(p).readsBack, Uncounted: true, OneByOne: set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement,
		},
	}
	existing := 0
	for _, m := range r.ControlledBy(view.Need{Kind: view.Pods, Namespace: t.Namespace}, set.UID) {
		need := view.Need{Kind: view.Pods, Namespace: t.Namespace, Name: m.GetName()}
		pod, ok := view.Get[*corev1.Pod](r, need)
		if !ok || !metav1.IsControlledBy(pod, set) {
			continue
		}
		s.Pods = append(s.Pods, pod)
		existing++
		if pod.DeletionTimestamp == nil && !view.Ended(pod) {
			s.Active++
		}
	}
	s.Counts = []inference.Count{{Field: inference.KeyReplicas, Stored: int(set.Status.Replicas), Actual: existing}}
	return s, nil
}
