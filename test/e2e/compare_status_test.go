package e2e

import (
	"errors"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// compareStatus wants the first status update, or none, field by field. When
// it was written is not compared.
func compareStatus(plan *decision.Decision, written *appsv1.ReplicaSetStatus) error {
	switch {
	case written == nil && !plan.Status.Writes:
		return nil
	case written == nil:
		return errors.New("wrote no status, planned to")
	case !plan.Status.Writes:
		return fmt.Errorf("wrote a status, planned not to: %+v", *written)
	}
	return errors.Join(compareFields(plan.Status.Fields, written), compareConditions(plan.Status.Conditions, written.Conditions))
}

func compareFields(planned []decision.FieldChange, written *appsv1.ReplicaSetStatus) error {
	var errs []error
	for _, f := range planned {
		if got := fieldOf(written, f.Field); got != f.Next {
			errs = append(errs, fmt.Errorf("wrote status.%s %s, planned %s", f.Field, got, f.Next))
		}
	}
	return errors.Join(errs...)
}

func fieldOf(status *appsv1.ReplicaSetStatus, field string) string {
	switch field {
	case "replicas":
		return fmt.Sprint(status.Replicas)
	case "fullyLabeledReplicas":
		return fmt.Sprint(status.FullyLabeledReplicas)
	case "readyReplicas":
		return fmt.Sprint(status.ReadyReplicas)
	case "availableReplicas":
		return fmt.Sprint(status.AvailableReplicas)
	case "observedGeneration":
		return fmt.Sprint(status.ObservedGeneration)
	case "terminatingReplicas":
		if status.TerminatingReplicas == nil {
			return "unset"
		}
		return fmt.Sprint(*status.TerminatingReplicas)
	}
	return "unknown field"
}

// compareConditions takes it that a message that was predicted may be wrapped in
// the API server's own words.
func compareConditions(planned []decision.Condition, written []appsv1.ReplicaSetCondition) error {
	if len(planned) != len(written) {
		return fmt.Errorf("wrote the conditions %v, planned %v", written, planned)
	}
	for i, p := range planned {
		c := written[i]
		if p.Type != string(c.Type) || p.Status != string(c.Status) || p.Reason != c.Reason || !strings.Contains(c.Message, p.Message) {
			return fmt.Errorf("wrote the condition %v, planned %v", c, p)
		}
	}
	return nil
}
