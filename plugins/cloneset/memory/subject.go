package memory

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/claim"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
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
	behaviour := core.BehaviourOf(kruise.Installed(r, p))
	limits, _ := core.LimitsOf(set)
	out.CreatesMissing = limits.MaxSurge == 0 && !set.ExcludesPreparingDelete(behaviour.Exclude)
	updated, records := 0, inplace.NewRecords(behaviour.Release)
	for _, pod := range claim.Own(r, set) {
		out.Pods = append(out.Pods, pod)
		noteActs(out, pod, records)
		if !kruise.Active(pod) || !set.Selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		out.Active++
		out.CreatesMissing = out.CreatesMissing && pod.Labels[kruise.StateLabel] != kruise.PreparingNormal
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

// noteActs notes when the controller updated a Pod in place, and when it last wrote its lifecycle
// in a sync that does not scale: one that does creates Pods as PreparingNormal, and moves those to
// delete to PreparingDelete.
func noteActs(out *inference.Subject, pod *corev1.Pod, records inplace.Records) {
	acted := kruise.StateSince(pod)
	switch pod.Labels[kruise.StateLabel] {
	case kruise.PreparingNormal, kruise.PreparingDelete:
		acted = time.Time{}
	}
	if text, ok := kruise.Lookup(pod, kruise.UpdateAnnotation, kruise.OldUpdate); ok {
		if st, err := records.State(text); err == nil && !st.UpdateTimestamp.IsZero() {
			at := st.UpdateTimestamp.UTC()
			out.Updates = append(out.Updates, inference.Write{Verb: decision.UpdateInPlace, Object: ownership.RefTo(view.Pods, pod), At: at, By: "pod"})
			if at.After(acted) {
				acted = at
			}
		}
	}
	if acted.After(out.Acted) {
		out.Acted = acted.UTC()
	}
}
