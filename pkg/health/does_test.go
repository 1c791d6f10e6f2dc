package health

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestMarks: only a Pod that enters another state of its lifecycle changes it.
func TestMarks(t *testing.T) {
	act := func(marks bool) decision.Action {
		return decision.Action{Verb: decision.SetState, Object: decision.Ref{Kind: "Pod"}, Count: 1, Certainty: decision.Certain, Marks: marks}
	}
	for want, actions := range map[string][]decision.Action{
		"next sync changes metadata of 2 Pods":            {act(true), act(true)},
		"next sync changes the lifecycle state of 2 Pods": {act(true), act(false)},
	} {
		if got := does(&decision.Decision{Actions: actions}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
