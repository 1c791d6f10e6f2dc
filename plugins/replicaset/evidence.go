package replicaset

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// evidence collects what the surroundings say about why the controller has not
// acted, or cannot.
func (s *sync) evidence() {
	failing := replicaFailure(s.set.Status.Conditions) != nil
	behind := s.set.Generation > s.set.Status.ObservedGeneration && !s.r.Hypothetical()
	missing := len(s.claims.active) < s.set.want()
	if missing {
		s.namespace()
		s.admissionEvidence()
	}
	if missing || failing {
		s.failedCreate()
	}
	if failing {
		s.failure()
	}
	if behind {
		s.found(s.set.ref, decision.Ruled(SpecNotObserved,
			decision.At(keyGeneration, s.set.Generation, "metadata.generation"),
			decision.At(keyObservedGeneration, s.set.Status.ObservedGeneration, "status.observedGeneration")))
	}
}

//go:noinline // it is called at many places
func (s *sync) found(source decision.Ref, r decision.Ruling) {
	s.d.Find(decision.Evidence{Source: source, Ruling: r})
}

func (s *sync) namespace() {
	if ns := s.terminating(); ns != nil {
		s.found(ownership.RefTo(view.Namespaces, ns), decision.Ruled(NamespaceTerminating, decision.F(keyNamespace, ns.Name)))
	}
}

// terminating is the set's namespace if it is being deleted.
func (t *target) terminating() *corev1.Namespace { return admission.Terminating(t.r, t.set.Namespace) }

// failedCreates are the events of creations that were refused.
func (t *target) failedCreates() view.Need {
	return health.FailedCreatesOf(t.set.kind, t.set, replicaFailure(t.set.Status.Conditions) != nil)
}

// newestFailedCreate is the newest FailedCreate event of the target, or nil.
func (t *target) newestFailedCreate() *corev1.Event {
	return events.Newest(view.List[*corev1.Event](t.r, t.failedCreates(), nil), t.set.UID, failedCreate)
}

// failedCreate shows the newest refusal.
func (s *sync) failedCreate() {
	newest := s.newestFailedCreate()
	if newest == nil {
		return
	}
	last := events.Last(newest)
	s.d.Find(decision.Evidence{Source: ownership.RefTo(view.Events, newest), At: last, Ruling: decision.Ruled(FailedCreateEvent,
		decision.At(keyMessage, newest.Message, "message"), decision.At(keyCount, events.Count(newest), "count"),
		decision.At(keyAge, format.Seconds(s.now.Sub(last)), "lastTimestamp"))})
}

// failure shows the stored ReplicaFailure condition. Its message is that of
// the first failure of the streak: upstream never refreshes it.
func (s *sync) failure() {
	c := replicaFailure(s.set.Status.Conditions)
	s.found(s.set.ref, decision.Ruled(ReplicaFailure,
		decision.At(keyReason, c.Reason, "status.conditions[ReplicaFailure].reason"),
		decision.At(keyMessage, c.Message, "status.conditions[ReplicaFailure].message"),
		decision.At(keyAge, format.Seconds(s.now.Sub(c.LastTransitionTime.Time)), "status.conditions[ReplicaFailure].lastTransitionTime")))
}
