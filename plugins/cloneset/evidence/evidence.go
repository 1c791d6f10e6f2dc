// Package evidence answers: what do the surroundings say about a sync that has not come,
// and what limits the answer?
package evidence

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// looking is the sync that is looked at.
type looking struct{ *reconcile.Run }

// Find collects what the surroundings say about why the controller has not
// acted, or cannot. It is looked for only when there is something to explain.
func Find(run *reconcile.Run) {
	s := looking{run}
	behind := s.Set.GetGeneration() > s.Set.Status.ObservedGeneration && !s.Reader.Hypothetical()
	missing := s.Decision.Summary.Create > 0 || len(s.Pods) < s.Set.Desired()
	status := s.Decision.Status.Writes && !s.Reader.Hypothetical()
	if len(s.Decision.Actions) == 0 && s.Outcome.ScaleErr == nil && !behind && !missing && !status {
		return
	}
	if missing && !s.Reader.Hypothetical() {
		s.lostCreation()
	}
	if missing || s.Outcome.ScaleErr != nil { // which may be that of pods beyond replicas
		s.failedEvent("FailedCreate")
	}
	if s.Decision.Summary.Delete() > 0 || s.Outcome.ScaleErr != nil {
		s.failedEvent("FailedDelete")
	}
	if s.Decision.Summary.Update > 0 {
		s.failedEvent("FailedUpdatePodInPlace")
	}
	for _, c := range s.Set.Status.Conditions {
		if s.Reader.Hypothetical() {
			break // what failed was the spec as it is
		}
		if c.Type == "FailedScale" || c.Type == "FailedUpdate" {
			s.Found(s.Set.Ref, decision.Ruled(rules.FailureStored, decision.F(rules.KeyType, c.Type), decision.F(rules.KeyMessage, c.Message),
				decision.F(rules.KeyAge, format.Seconds(s.Now.Sub(c.LastTransitionTime.Time))), decision.F(rules.KeySticky, s.Behaviour.StickyConditions)))
		}
	}
	if behind {
		s.Found(s.Set.Ref, decision.Ruled(rules.SpecNotObserved,
			decision.At(rules.KeyGeneration, s.Set.GetGeneration(), "metadata.generation"),
			decision.At(rules.KeyObservedGeneration, s.Set.Status.ObservedGeneration, "status.observedGeneration"),
			decision.F(rules.KeyTarget, s.Set.Ref.String()), decision.F(rules.KeyNamespace, s.Set.GetNamespace())))
	}
}

// lostCreation tells of the Pod that was created last, where it is not there.
func (s looking) lostCreation() {
	newest := events.Newest(view.List[*corev1.Event](s.Reader, s.Set.EventsNeed(), nil), s.Set.GetUID(), "SuccessfulCreate")
	if newest == nil {
		return
	}
	age, name := s.Now.Sub(events.Last(newest)), strings.TrimPrefix(newest.Message, "succeed to create pod ")
	there := slices.ContainsFunc(s.Set.Controlled(s.Reader), func(p *corev1.Pod) bool { return p.Name == name })
	if !there && age > settled {
		s.Found(s.Set.Ref, decision.Ruled(rules.CreationNotThere, decision.F(rules.KeyPod, name), decision.F(rules.KeyAge, format.Seconds(age)),
			decision.F(rules.KeyTarget, s.Set.Ref.String()), decision.F(rules.KeyNamespace, s.Set.GetNamespace())))
	}
}

// settled is how long ago something was written that a healthy controller has seen, and
// acted on.
const settled = time.Minute

// failedEvent shows the newest event of a reason.
func (s looking) failedEvent(reason string) {
	if newest := events.Newest(view.List[*corev1.Event](s.Reader, s.Set.EventsNeed(), nil), s.Set.GetUID(), reason); newest != nil {
		last := events.Last(newest)
		s.Decision.Find(decision.Evidence{Source: ownership.RefTo(view.Events, newest), At: last, Ruling: decision.Ruled(rules.FailedEvent,
			decision.F(rules.KeyReason, reason), decision.At(rules.KeyMessage, withoutObject(newest.Message), "message"),
			decision.At(rules.KeyCount, events.Count(newest), "count"), decision.At(rules.KeyAge, format.Seconds(s.Now.Sub(last)), "lastTimestamp"))})
	}
}

// withoutObject cuts off the whole pod or claim that the event of a failed creation
// quotes behind the error (createOnePod of sync/cloneset_scale.go, v1.9.1).
func withoutObject(message string) string {
	message, _, _ = strings.Cut(message, ", pod: {")
	message, _, _ = strings.Cut(message, ", pvc: {")
	return message
}
