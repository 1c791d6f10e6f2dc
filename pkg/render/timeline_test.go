package render

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestRoundsShowDroppedRevisions: a round that only deletes revisions has a line without a
// number, and one that replaces Pods names them behind those.
func TestRoundsShowDroppedRevisions(t *testing.T) {
	act := func(verb decision.Verb, kind, name string) decision.Action {
		return decision.Action{Verb: verb, Object: decision.Ref{Kind: kind, Namespace: "shop", Name: name}, Count: 1, Certainty: decision.Certain}
	}
	d := &decision.Decision{Target: decision.Ref{Kind: "Deployment", Namespace: "shop", Name: "web"}, Timeline: &decision.Timeline{
		Totals: decision.Totals{Create: 1, Delete: 1},
		Rounds: []decision.Round{
			{Number: 1, Actions: []decision.Action{act(decision.Scale, "ReplicaSet", "web-b"), act(decision.Create, "Pod", "web-b-1"), act(decision.Delete, "Pod", "web-a-1")}},
			{Actions: []decision.Action{act(decision.Modify, "Deployment", "web")}},
			{Actions: []decision.Action{act(decision.Delete, "ReplicaSet", "web-a")}},
		},
	}}
	_, rows := Rounds(d, true)
	if len(rows) != 3 || rows[1][0] != "·" || rows[1][2] != "delete replicaset web-a" || rows[0][2] != "create 1, delete 1" {
		t.Errorf("%q", rows)
	}
}

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

// TestRoundsSayWhatMarked: a Pod that is to be recreated is marked for deletion.
func TestRoundsSayWhatMarked(t *testing.T) {
	mark := decision.Action{Verb: decision.Recreate, Object: decision.Ref{Kind: "Pod", Namespace: "shop", Name: "web-a"}, Count: 1, Certainty: decision.Certain}
	d := &decision.Decision{Target: decision.Ref{Kind: "CloneSet", Namespace: "shop", Name: "web"}, Timeline: &decision.Timeline{Rounds: []decision.Round{{Number: 1, Actions: []decision.Action{mark}}}}}
	if _, rows := Rounds(d, true); len(rows) < 1 || rows[0][2] != "mark for deletion: a" {
		t.Errorf("%q", rows)
	}
}

// TestRoundsOfNothing: where rounds do nothing, the plan says what it says without them: what
// the controller waits for, and what to type next. What is said of the end is not said twice.
func TestRoundsOfNothing(t *testing.T) {
	waits := decision.Ruling{Rule: "WaitGone", Message: "db-1 is being deleted"}
	d := &decision.Decision{
		Target: decision.Ref{Kind: "StatefulSet", Namespace: "shop", Name: "db"}, Answer: "statefulset/db waits: db-1 is being deleted; db-2 is deleted afterwards.",
		Pending:  true,
		Evidence: []decision.Evidence{{Ruling: waits}, {Ruling: decision.Ruling{Rule: "Other", Message: "something else holds"}}},
		Timeline: &decision.Timeline{Answer: "statefulset/db in shop: blocked.", End: decision.End{Outcome: decision.Blocked, Why: []decision.Ruling{waits}}},
	}
	d.Headline, d.Next = d.Timeline.Answer, "kubectl describe node n1"
	d.State, d.Cause = decision.StateBlocked, "1 Terminating"
	ask := func() string {
		var out strings.Builder
		if err := Plan(&out, d, Options{}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	got := ask()
	for _, want := range []string{"db-2 is deleted afterwards", "\nNext: kubectl describe node n1\n", "WHY IT ENDS   db-1 is being deleted\n", "something else holds"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Count(got, "db-1 is being deleted") != 2 { // in the answer, and of the end
		t.Errorf("said again:\n%s", got)
	}
	d.Timeline.Answer = "statefulset/db would delete db-2 in 1 round, then it is blocked."
	d.Timeline.Rounds = []decision.Round{{Number: 1}}
	if got := ask(); strings.Contains(got, "Next:") || strings.Contains(got, "afterwards") {
		t.Errorf("of rounds that do something:\n%s", got)
	}
}
