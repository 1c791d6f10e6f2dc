package cloneset

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// evidence collects what the surroundings say about why the controller has not
// acted, or cannot. It is looked for only when there is something to explain.
func (s *sync) evidence() {
	behind := s.set.GetGeneration() > s.set.Status.ObservedGeneration && !s.r.Hypothetical()
	missing := s.d.Summary.Create > 0 || len(s.pods) < s.set.Desired()
	status := s.d.Status.Writes && !s.r.Hypothetical()
	if len(s.d.Actions) == 0 && s.outcome.scaleErr == nil && !behind && !missing && !status {
		return
	}
	if vacant, ok := lease.Overdue(s.r, lease.KruiseManager, s.kruise.Unelected, lease.Subject{Kind: view.CloneSets, Object: s.set, Makes: view.Pods}); ok {
		s.d.Evidence = append(s.d.Evidence, vacant)
	}
	if missing || s.outcome.scaleErr != nil { // which may be that of pods beyond replicas
		s.failedEvent("FailedCreate")
	}
	if s.d.Summary.Delete() > 0 || s.outcome.scaleErr != nil {
		s.failedEvent("FailedDelete")
	}
	if s.d.Summary.Update > 0 {
		s.failedEvent("FailedUpdatePodInPlace")
	}
	for _, c := range s.set.Status.Conditions {
		if s.r.Hypothetical() {
			break // what failed was the spec as it is
		}
		if c.Type == "FailedScale" || c.Type == "FailedUpdate" {
			s.found(s.set.Ref, decision.Ruled(rules.FailureStored, decision.F("type", c.Type), decision.F("message", c.Message),
				decision.F("age", wording.Seconds(s.now.Sub(c.LastTransitionTime.Time))), decision.F("sticky", s.behaviour.StickyConditions)))
		}
	}
	if behind {
		s.found(s.set.Ref, decision.Ruled(rules.GenerationBehind,
			decision.At("generation", s.set.GetGeneration(), "metadata.generation"),
			decision.At("observedGeneration", s.set.Status.ObservedGeneration, "status.observedGeneration"),
			decision.F("target", s.set.Ref.String()), decision.F("namespace", s.set.GetNamespace())))
	}
}

func (s *sync) found(source decision.Ref, r decision.Ruling) {
	s.d.Evidence = append(s.d.Evidence, decision.Evidence{Source: source, Ruling: r})
}

// eventsNeed are all events of the set, read at once: what-ifs on a saved set ask for
// other reasons than what was saved for.
func (s *sync) eventsNeed() view.Need {
	return view.Need{
		Kind: view.Events, Namespace: s.set.GetNamespace(),
		Fields:  "involvedObject.kind=CloneSet,involvedObject.name=" + s.set.GetName(),
		Without: "why earlier writes failed is not known", Explains: true,
	}
}

// failedEvent shows the newest event of a reason.
func (s *sync) failedEvent(reason string) {
	if newest := events.Newest(view.List[*corev1.Event](s.r, s.eventsNeed(), nil), s.set.GetUID(), reason); newest != nil {
		last := events.Last(newest)
		s.d.Evidence = append(s.d.Evidence, decision.Evidence{Source: ownership.RefTo(view.Events, newest), At: last, Ruling: decision.Ruled(rules.FailedEvent,
			decision.F("reason", reason), decision.At("message", withoutObject(newest.Message), "message"),
			decision.At("count", events.Count(newest), "count"), decision.At("age", wording.Seconds(s.now.Sub(last)), "lastTimestamp"))})
	}
}

// withoutObject cuts off the whole pod or claim that the event of a failed creation
// quotes behind the error (createOnePod of sync/cloneset_scale.go, v1.9.1).
func withoutObject(message string) string {
	message, _, _ = strings.Cut(message, ", pod: {")
	message, _, _ = strings.Cut(message, ", pvc: {")
	return message
}
