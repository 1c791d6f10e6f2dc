package deployment

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func (s *sync) statusWrite(err error) decision.StatusWrite {
	final := s.finalStatus()
	w := decision.StatusWrite{Writes: s.written != nil, Ruling: s.statusRuling(err), Fields: s.contestedFields(s.statusFields(final))}
	w.Plain = w.Rule == StatusWritten
	for _, c := range final.Conditions {
		w.Conditions = append(w.Conditions, decision.Condition{
			Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime.UTC(),
		})
	}
	return w
}

// finalStatus is what is stored after the sync.
func (s *sync) finalStatus() appsv1.DeploymentStatus {
	if s.written != nil {
		return *s.written
	}
	return s.stored
}

func (s *sync) statusRuling(err error) decision.Ruling {
	switch {
	case s.noted != "":
		return decision.Ruled(s.noted, s.progressFacts()...)
	case s.refused != nil:
		return decision.Ruled(StatusRefused, decision.F(keyError, s.refused.Error()))
	case s.written != nil:
		return decision.Ruled(StatusWritten)
	case err != nil:
		return decision.Ruled(StatusNotReached)
	default:
		return decision.Ruled(StatusUnchanged)
	}
}

// progressFacts are of the written status, about the condition that tells how the rollout goes.
func (s *sync) progressFacts() []decision.Fact {
	facts := []decision.Fact{decision.F(keyCollisionCount, ptr.Deref(s.written.CollisionCount, 0))}
	if c := condition(s.written.Conditions, appsv1.DeploymentProgressing); c != nil {
		facts = append(facts, decision.F(keyReason, c.Reason), decision.F(keyMessage, c.Message))
	}
	return append(facts, decision.At(keyProgressDeadlineSeconds, *s.d.Spec.ProgressDeadlineSeconds, "spec.progressDeadlineSeconds"))
}

func (s *sync) statusFields(final appsv1.DeploymentStatus) []decision.FieldChange {
	old := s.stored
	fields := []decision.FieldChange{
		field("replicas", old.Replicas, final.Replicas),
		field("updatedReplicas", old.UpdatedReplicas, final.UpdatedReplicas),
		field("readyReplicas", old.ReadyReplicas, final.ReadyReplicas),
		field("availableReplicas", old.AvailableReplicas, final.AvailableReplicas),
		field("unavailableReplicas", old.UnavailableReplicas, final.UnavailableReplicas),
		field("observedGeneration", old.ObservedGeneration, final.ObservedGeneration),
	}
	fields = optional(fields, "terminatingReplicas", old.TerminatingReplicas, final.TerminatingReplicas)
	return optional(fields, "collisionCount", old.CollisionCount, final.CollisionCount)
}

// optional adds a field that is not always there.
func optional(fields []decision.FieldChange, name string, stored, next *int32) []decision.FieldChange {
	if stored == nil && next == nil {
		return fields
	}
	return append(fields, decision.FieldChange{Field: name, Stored: orUnset(stored), Next: orUnset(next)})
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
