package replicaset

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// subjectOf is what can be told of a set to somebody who asks what its real
// controller may be waiting for. Errors: as Decide's.
func subjectOf(r *view.Reader, p profile.Profile, t view.Target) (*inference.Subject, error) {
	set, err := load(r, t)
	if err != nil {
		return nil, err
	}
	s := &inference.Subject{
		Target: set.ref, Kind: t.Kind, Object: set, Wanted: set.want(), Observed: set.Status.ObservedGeneration,
		Controller: inference.Controller{
			Name: "ReplicaSet controller", Program: lease.ControllerManager, Unelected: p.Unelected,
			Refused: "FailedCreate",
			Events: map[string]inference.Event{
				"SuccessfulCreate": {Verb: decision.Create, Before: "Created pod: "},
				"SuccessfulDelete": {Verb: decision.Delete, Before: "Deleted pod: "},
			},
			ReadsBack: readsBack(p, t.Kind),
		},
	}
	of := targetOf(r, p, set)
	if set.invalid == nil {
		for _, pod := range of.candidates(of.matching()) {
			if !metav1.IsControlledBy(pod, set) {
				continue
			}
			s.Pods = append(s.Pods, pod)
			if isActive(pod) && set.selector.Matches(labels.Set(pod.Labels)) {
				s.Active++
			}
		}
	}
	s.Counts = []inference.Count{{Field: inference.KeyReplicas, Stored: int(set.Status.Replicas), Actual: s.Active}}
	return s, nil
}
