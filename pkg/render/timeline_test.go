package render

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestRoundsMarkThePossible: what a round only may do stands apart from what it does, and
// is marked, by name and by number.
func TestRoundsMarkThePossible(t *testing.T) {
	act := func(verb decision.Verb, name string, certainty decision.Certainty, choice *decision.Choice) decision.Action {
		return decision.Action{Verb: verb, Object: decision.Ref{Kind: "Pod", Namespace: "shop", Name: name}, Count: 1, Certainty: certainty, Choice: choice}
	}
	one := &decision.Choice{K: 1, N: 2}
	actions := []decision.Action{
		act(decision.Delete, "web-a", decision.Certain, nil), act(decision.Delete, "web-b", decision.Possible, nil),
		act(decision.Delete, "web-c", decision.Possible, one), act(decision.Delete, "web-d", decision.Possible, one),
		act(decision.Adopt, "web-e", decision.Possible, nil),
	}
	d := &decision.Decision{Target: decision.Ref{Kind: "ReplicaSet", Namespace: "shop", Name: "web"}, Timeline: &decision.Timeline{
		Rounds: []decision.Round{{Number: 1, Actions: actions}},
	}}
	_, rows := Rounds(d, true)
	const want = "delete a; delete b (possible); delete c, d (1 of 2 possible); adopt e (possible)"
	if got := strings.Join(rows[0], "|"); !strings.Contains(got, "|"+want+"|") {
		t.Errorf("rows %q, want %q", got, want)
	}
	const counts = "delete 1, delete 1 (possible), delete 2 (1 of 2 possible), adopt 1 (possible)"
	if got := tally(bundles(actions)); got != counts {
		t.Errorf("tally %q, want %q", got, counts)
	}
}
