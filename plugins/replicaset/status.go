package replicaset

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// status predicts the status update at the end of the sync: counts of the
// pods as they were claimed, before this sync's creations and deletions. The error is
// the API server's.
func (s *sync) status() (out decision.StatusWrite, err error) {
	next := s.nextStatus()
	out.Writes, out.Dropped = s.writes(next), s.behaviour.droppedTerminating
	out.Fields = s.contestedFields(s.statusFields(next, out.Writes), out.Writes)
	out.Ruling = s.statusRuling(next, out.Writes)
	out.Plain = out.Rule == StatusWritten
	for _, c := range next.Conditions {
		out.Conditions = append(out.Conditions, decision.Condition{
			Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime.UTC(),
		})
	}
	if !out.Writes {
		return out, nil
	}
	out.Ruling, err = s.update(next, out.Ruling)
	return out, err
}

// nextStatus mirrors calculateStatus (replica_set_utils.go, v1.37.1).
func (s *sync) nextStatus() appsv1.ReplicaSetStatus {
	next := s.stored()
	template := labels.SelectorFromSet(s.set.Spec.Template.Labels)
	next.Replicas = int32(len(s.claims.active))
	next.FullyLabeledReplicas, next.ReadyReplicas, next.AvailableReplicas = 0, 0, 0
	for _, p := range s.claims.active {
		if template.Matches(labels.Set(p.Labels)) {
			next.FullyLabeledReplicas++
		}
		if ready, since := view.Readiness(p); ready {
			next.ReadyReplicas++
			if s.available(since) {
				next.AvailableReplicas++
			}
		}
	}
	next.TerminatingReplicas = nil
	if s.behaviour.terminating {
		next.TerminatingReplicas = new(int32(s.claims.terminating))
	}
	next.Conditions = s.nextConditions()
	return next
}

// stored is the status as the controller's own types hold it.
func (t *target) stored() appsv1.ReplicaSetStatus {
	status := *t.set.Status.DeepCopy()
	if !t.behaviour.hasTerminating {
		status.TerminatingReplicas = nil
	}
	return status
}

// available mirrors IsPodAvailable (pkg/api/v1/pod/util.go, v1.37.1) for a ready pod:
// up to 1.33 minReadySeconds had to be exceeded, since then reached.
func (t *target) available(since time.Time) bool {
	wait := time.Duration(t.set.Spec.MinReadySeconds) * time.Second
	if wait == 0 {
		return true
	}
	if since.IsZero() {
		return false
	}
	due := since.Add(wait)
	return due.Before(t.now) || t.behaviour.precise && due.Equal(t.now)
}

func (t *target) statusFields(next appsv1.ReplicaSetStatus, writes bool) []decision.FieldChange {
	old := t.stored()
	observed := old.ObservedGeneration
	if writes {
		observed = t.set.Generation
	}
	fields := []decision.FieldChange{
		field("replicas", old.Replicas, next.Replicas),
		field("fullyLabeledReplicas", old.FullyLabeledReplicas, next.FullyLabeledReplicas),
		field("readyReplicas", old.ReadyReplicas, next.ReadyReplicas),
		field("availableReplicas", old.AvailableReplicas, next.AvailableReplicas),
	}
	if t.behaviour.terminating || old.TerminatingReplicas != nil {
		fields = append(fields, decision.FieldChange{Field: "terminatingReplicas", Stored: orUnset(old.TerminatingReplicas), Next: orUnset(next.TerminatingReplicas)})
	}
	return append(fields, field("observedGeneration", old.ObservedGeneration, observed))
}

func field[T int32 | int64](name string, stored, next T) decision.FieldChange {
	return decision.FieldChange{Field: name, Stored: fmt.Sprint(stored), Next: fmt.Sprint(next)}
}

func orUnset(n *int32) string {
	if n == nil {
		return "unset"
	}
	return fmt.Sprint(*n)
}

func (s *sync) statusRuling(next appsv1.ReplicaSetStatus, writes bool) decision.Ruling {
	was, is := replicaFailure(s.set.Status.Conditions), replicaFailure(next.Conditions)
	switch {
	case was == nil && is != nil:
		return decision.Ruled(FailureSet, decision.F(keyReason, is.Reason), decision.F(keyMessage, is.Message))
	case was != nil && is == nil:
		return decision.Ruled(FailureCleared, decision.F(keyReason, was.Reason))
	case was != nil && s.err != nil:
		return decision.Ruled(FailureKept, decision.F(keyReason, was.Reason), decision.At(keySince, format.Instant(was.LastTransitionTime.Time), "status.conditions[ReplicaFailure].lastTransitionTime"))
	case writes:
		return decision.Ruled(StatusWritten)
	default:
		return decision.Ruled(StatusUnchanged)
	}
}
