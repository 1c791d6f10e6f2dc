package health

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestAgain: where fewer Pods are left than are desired, a later sync creates them.
func TestAgain(t *testing.T) {
	act := func(verb decision.Verb, n int) decision.Action {
		return decision.Action{Verb: verb, Object: decision.Ref{Kind: "Pod"}, Count: n, Certainty: decision.Certain}
	}
	surplus := act(decision.Delete, 1)
	surplus.Surplus = true
	for _, tt := range []struct {
		want             string
		current, desired int
		actions          []decision.Action
	}{
		{"next sync deletes 1 Pod to replace it", 3, 3, []decision.Action{act(decision.Delete, 1)}},
		{"next sync deletes 2 Pods to replace 1", 4, 3, []decision.Action{act(decision.Delete, 2)}},
		{"next sync deletes 2 Pods to replace them", 2, 2, []decision.Action{act(decision.Delete, 1), act(decision.Delete, 1)}},
		{"next sync deletes 1 Pod", 3, 3, []decision.Action{surplus}},
		{"next sync deletes 2 Pods to replace 1", 3, 3, []decision.Action{surplus, act(decision.Delete, 1)}},
		{"next sync deletes 1 Pod", 4, 3, []decision.Action{act(decision.Delete, 1)}},
		{"next sync creates 1 Pod, deletes 1 Pod", 3, 3, []decision.Action{act(decision.Create, 1), act(decision.Delete, 1)}},
		{"next sync adopts 1 Pod, deletes 1 Pod", 3, 3, []decision.Action{act(decision.Adopt, 1), act(decision.Delete, 1)}},
		{"next sync releases 1 Pod, deletes 1 Pod", 3, 3, []decision.Action{act(decision.Release, 1), act(decision.Delete, 1)}},
		{"next sync creates 1 Pod", 2, 3, []decision.Action{act(decision.Create, 1)}},
	} {
		d := &decision.Decision{Actions: tt.actions}
		d.Stand(decision.Standing{Replicas: &decision.Replicas{Current: tt.current, Desired: tt.desired}})
		if got := does(d); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

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
