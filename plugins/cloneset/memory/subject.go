package memory

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/claim"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Subject is what can be told of a CloneSet to somebody who asks what its real
// controller may be waiting for. Errors: as Decide's.
func Subject(r *view.Reader, p profile.Profile, t view.Target) (*inference.Subject, error) {
	set, err := api.Get(r, t)
	if err != nil {
		return nil, err
	}
	out := &inference.Subject{
		Target: set.Ref, Kind: t.Kind, Object: set, Wanted: set.Desired(), Observed: set.Status.ObservedGeneration,
		Controller: inference.Controller{
			Name: "CloneSet controller", Program: kruise.Elected, Unelected: kruise.Installed(r, p).Unelected,
			Refused: "FailedCreate",
			Events: map[string]inference.Event{
				"SuccessfulCreate":           {Verb: decision.Create, Before: "succeed to create pod "},
				"SuccessfulDelete":           {Verb: decision.Delete, Before: "succeed to delete pod "},
				"SuccessfulUpdatePodInPlace": {Verb: decision.UpdateInPlace, Before: "successfully update pod "},
			},
			Forever: true, DropsExpired: core.BehaviourOf(kruise.Installed(r, p)).DropExpired,
		},
	}
	if set.Invalid != nil {
		return out, nil
	}
	updated := 0
	for _, pod := range claim.Own(r, set) {
		out.Pods = append(out.Pods, pod)
		if !kruise.Active(pod) || !set.Selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		out.Active++
		if kruise.SameHash(pod.Labels[kruise.RevisionLabel], set.Status.UpdateRevision) {
			updated++
		}
	}
	out.Counts = []inference.Count{
		{Field: inference.KeyReplicas, Stored: int(set.Status.Replicas), Actual: out.Active},
		{Field: inference.KeyUpdatedReplicas, Stored: int(set.Status.UpdatedReplicas), Actual: updated},
	}
	return out, nil
}
