package status

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
)

// writes mirrors inconsistentStatus (cloneset_status.go, v1.9.1). A collision
// count or a condition of a failure alone is never written.
func (s *writer) writes(next api.Status) bool {
	old := s.Set.Status
	return next.ObservedGeneration > old.ObservedGeneration ||
		next.Replicas != old.Replicas ||
		next.ReadyReplicas != old.ReadyReplicas ||
		next.AvailableReplicas != old.AvailableReplicas ||
		next.UpdatedReadyReplicas != old.UpdatedReadyReplicas ||
		next.UpdatedReplicas != old.UpdatedReplicas ||
		next.UpdatedAvailableReplicas != old.UpdatedAvailableReplicas ||
		next.ExpectedUpdatedReplicas != old.ExpectedUpdatedReplicas ||
		next.UpdateRevision != old.UpdateRevision ||
		next.CurrentRevision != old.CurrentRevision ||
		next.LabelSelector != old.LabelSelector ||
		s.Behaviour.Progressing && progressChanged(old.Conditions, next.Conditions)
}

func progressChanged(old, next []api.Condition) bool {
	a, b := Progressing(old), Progressing(next)
	if a == nil || b == nil {
		return (a == nil) != (b == nil)
	}
	return a.Status != b.Status || a.Reason != b.Reason
}

func (s *writer) statusFields(next api.Status) []decision.FieldChange {
	old := s.Set.Status
	return []decision.FieldChange{
		field("observedGeneration", old.ObservedGeneration, next.ObservedGeneration),
		field("replicas", old.Replicas, next.Replicas),
		field("readyReplicas", old.ReadyReplicas, next.ReadyReplicas),
		field("availableReplicas", old.AvailableReplicas, next.AvailableReplicas),
		field("updatedReplicas", old.UpdatedReplicas, next.UpdatedReplicas),
		field("updatedReadyReplicas", old.UpdatedReadyReplicas, next.UpdatedReadyReplicas),
		field("updatedAvailableReplicas", old.UpdatedAvailableReplicas, next.UpdatedAvailableReplicas),
		field("expectedUpdatedReplicas", old.ExpectedUpdatedReplicas, next.ExpectedUpdatedReplicas),
		field("updateRevision", old.UpdateRevision, next.UpdateRevision),
		field("currentRevision", old.CurrentRevision, next.CurrentRevision),
		field("labelSelector", old.LabelSelector, next.LabelSelector),
	}
}

func field(name string, stored, next any) decision.FieldChange {
	return decision.FieldChange{Field: name, Stored: orUnset(stored), Next: orUnset(next)}
}

func orUnset(v any) string {
	if text := fmt.Sprint(v); text != "" {
		return text
	}
	return "unset"
}
