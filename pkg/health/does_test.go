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

// TestKeepsMarked: a Pod that is to be recreated is only marked for deletion, where a budget
// refuses deletions, or creations that come before them are refused.
func TestKeepsMarked(t *testing.T) {
	for name, tt := range map[string]struct {
		want   string
		decide func(*decision.Decision)
	}{
		"nothing refuses":     {"next sync recreates 1 Pod", func(*decision.Decision) {}},
		"a budget":            {"next sync marks 1 Pod for deletion", func(d *decision.Decision) { d.Refuse(decision.Refusal{Deletions: true}) }},
		"a budget, an update": {"next sync recreates 1 Pod", func(d *decision.Decision) { d.Refuse(decision.Refusal{}) }},
		"another deletion": {"next sync deletes 1 Pod, recreates 1 Pod", func(d *decision.Decision) {
			d.Refuse(decision.Refusal{Deletions: true})
			d.Do(decision.Action{Verb: decision.Delete, Object: decision.Ref{Kind: "Pod"}, Count: 1, Certainty: decision.Certain})
		}},
		"creations": {"next sync marks 1 Pod for deletion", func(d *decision.Decision) {
			d.Counting(decision.Derived(decision.KeyCreations, 0, "", decision.F(decision.KeyRefused, 1)))
		}},
		"perhaps": {"next sync, if nothing refuses it, marks 1 Pod for deletion", func(d *decision.Decision) {
			d.Refuse(decision.Refusal{Deletions: true})
			d.Actions[0].Certainty = decision.Possible
		}},
	} {
		d := &decision.Decision{}
		d.Do(decision.Action{Verb: decision.Recreate, Object: decision.Ref{Kind: "Pod"}, Count: 1, Certainty: decision.Certain})
		tt.decide(d)
		d.Summarize()
		if got := does(d); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
