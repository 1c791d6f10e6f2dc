package decision

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func act(v Verb, kind string, n int, c Certainty, choice *Choice) Action {
	return Action{Verb: v, Object: Ref{Kind: kind, Name: "x"}, Count: n, Certainty: c, Choice: choice}
}

// TestTotalCountsAllThatFollows: a gate that looks at the total lets no deletion
// through, whichever controller makes it and whenever.
func TestTotalCountsAllThatFollows(t *testing.T) {
	one := &Choice{K: 1, N: 2, Of: "victims"}
	for name, c := range map[string]struct {
		d    Decision
		want Total
	}{
		"nothing": {},
		"own": {
			Decision{Actions: []Action{act(Create, "Pod", 3, Certain, nil), act(Create, "Pod", 2, Possible, nil), act(Delete, "Pod", 1, Certain, nil), act(Adopt, "Pod", 1, Certain, nil)}},
			Total{Certain: Toll{PodsCreated: 3, PodsDeleted: 1}, Possible: Toll{PodsCreated: 2}},
		},
		"one of two": {
			Decision{Actions: []Action{act(Delete, "Pod", 1, Possible, one), act(Delete, "Pod", 1, Possible, one)}},
			Total{Possible: Toll{PodsDeleted: 1}},
		},
		"one of two, deleted or updated": {
			Decision{Actions: []Action{act(UpdateInPlace, "Pod", 1, Possible, one), act(Recreate, "Pod", 1, Possible, one)}},
			Total{Possible: Toll{PodsDeleted: 1, PodsRecreated: 1, PodsUpdated: 1}},
		},
		"recreated, with a claim": {
			Decision{Actions: []Action{act(Recreate, "Pod", 1, Certain, nil), act(Delete, "PersistentVolumeClaim", 1, Certain, nil)}, Summary: Summary{DeleteClaims: 3}},
			Total{Certain: Toll{PodsDeleted: 1, PodsRecreated: 1, ClaimsDeleted: 1}, Possible: Toll{ClaimsDeleted: 2}},
		},
		"deleted, with claims that are collected": {
			Decision{Actions: []Action{
				{Verb: Delete, Object: Ref{Kind: "Pod"}, Count: 1, Certainty: Certain, Collects: make([]Ref, 2)},
				{Verb: Delete, Object: Ref{Kind: "Pod"}, Count: 1, Certainty: Possible, Collects: make([]Ref, 1)},
			}, Summary: Summary{DeleteClaims: 3}},
			Total{Certain: Toll{PodsDeleted: 1, ClaimsDeleted: 2}, Possible: Toll{PodsDeleted: 1, ClaimsDeleted: 1}},
		},
		"what later syncs delete": {
			Decision{Actions: []Action{act(Delete, "Pod", 1, Certain, nil)}, Later: Toll{PodsDeleted: 2, ClaimsDeleted: 4}},
			Total{Certain: Toll{PodsDeleted: 1}, Later: Toll{PodsDeleted: 2, ClaimsDeleted: 4}},
		},
		"what later syncs delete, in rounds": {
			Decision{
				Actions: []Action{act(Delete, "Pod", 1, Certain, nil)}, Later: Toll{PodsDeleted: 2, ClaimsDeleted: 4},
				Timeline: &Timeline{Totals: Totals{Delete: 3, DeleteClaims: 4}},
			},
			Total{Certain: Toll{PodsDeleted: 1}, Possible: Toll{PodsDeleted: 2, ClaimsDeleted: 4}},
		},
		"held by a hook": {
			Decision{
				Actions: []Action{{Verb: SetState, Object: Ref{Kind: "Pod"}, Count: 1, Certainty: Certain, StartsDeletion: true, Claims: 2}},
				Hanging: Toll{PodsDeleted: 3, PodsRecreated: 2, ClaimsDeleted: 6},
			},
			Total{Possible: Toll{PodsDeleted: 4, PodsRecreated: 2, ClaimsDeleted: 8}},
		},
		"some of several are held by a hook": {
			Decision{Actions: []Action{
				{Verb: SetState, Object: Ref{Kind: "Pod"}, Count: 1, Certainty: Possible, Choice: one, StartsDeletion: true},
				{Verb: SetState, Object: Ref{Kind: "Pod"}, Count: 1, Certainty: Possible, Choice: one, StartsDeletion: true},
			}},
			Total{Possible: Toll{PodsDeleted: 1}},
		},
		"held by a hook at the end, one of which is marked": {
			Decision{
				Hanging:  Toll{PodsDeleted: 5},
				Timeline: &Timeline{Totals: Totals{Marked: 1}, End: End{Outcome: Blocked, Hanging: Toll{PodsDeleted: 3, PodsRecreated: 2}}},
			},
			Total{Possible: Toll{PodsDeleted: 3, PodsRecreated: 3}},
		},
		"left where the rounds end blocked, with one that a budget keeps": {
			Decision{Timeline: &Timeline{Totals: Totals{Marked: 1}, End: End{Outcome: Blocked, Later: Toll{PodsDeleted: 3, PodsRecreated: 3, ClaimsDeleted: 2}}}},
			Total{Possible: Toll{PodsDeleted: 1, PodsRecreated: 1}, Later: Toll{PodsDeleted: 2, PodsRecreated: 2, ClaimsDeleted: 2}},
		},
		"what later syncs of a rollout do": {
			Decision{Later: Toll{PodsDeleted: 1}, Rolling: Toll{PodsCreated: 6, PodsDeleted: 9}},
			Total{Later: Toll{PodsCreated: 6, PodsDeleted: 10}},
		},
		"what later syncs of a blocked rollout do": {
			Decision{Standing: Standing{State: StateBlocked}, Later: Toll{PodsDeleted: 1}, Rolling: Toll{PodsCreated: 6, PodsDeleted: 9}},
			Total{Later: Toll{PodsDeleted: 1}},
		},
		"what follows": {
			Decision{
				Actions: []Action{act(Scale, "ReplicaSet", 1, Certain, nil), act(Delete, "ReplicaSet", 1, Certain, nil)},
				Follows: []Effect{{Actions: []Action{act(Delete, "Pod", 1, Certain, nil)}}, {Actions: []Action{act(Delete, "Pod", 1, Possible, one), act(Delete, "Pod", 1, Possible, one)}}},
			},
			Total{Certain: Toll{PodsDeleted: 1}, Possible: Toll{PodsDeleted: 1}},
		},
		"rounds": {
			Decision{
				Actions:  []Action{act(Recreate, "Pod", 1, Certain, nil), act(Recreate, "Pod", 1, Certain, nil)},
				Timeline: &Timeline{Totals: Totals{Create: 5, Delete: 5, Recreate: 5, DeleteClaims: 2}},
			},
			Total{Certain: Toll{PodsDeleted: 2, PodsRecreated: 2}, Possible: Toll{PodsCreated: 5, PodsDeleted: 3, PodsRecreated: 3, ClaimsDeleted: 2}},
		},
		"marked and held": {
			Decision{Actions: []Action{act(Recreate, "Pod", 1, Certain, nil), {Verb: Recreate, Object: Ref{Kind: "Pod", Name: "held"}, Count: 1, Certainty: Certain, Held: true, Collects: []Ref{{Kind: "PersistentVolumeClaim"}}}}},
			Total{Certain: Toll{PodsDeleted: 1, PodsRecreated: 1}, Possible: Toll{PodsDeleted: 1, PodsRecreated: 1, ClaimsDeleted: 1}},
		},
		"rounds that mark what a hook holds": {
			Decision{
				Actions:  []Action{act(Recreate, "Pod", 1, Certain, nil), act(Recreate, "Pod", 1, Certain, nil)},
				Timeline: &Timeline{Totals: Totals{Create: 1, Delete: 1, Recreate: 1, Marked: 1}},
			},
			Total{Certain: Toll{PodsDeleted: 1, PodsRecreated: 1}, Possible: Toll{PodsCreated: 1, PodsDeleted: 1, PodsRecreated: 1}},
		},
		"rounds that recreate what may be updated": {
			Decision{Timeline: &Timeline{Totals: Totals{Delete: 2, Recreate: 2, Update: 1, Most: Toll{PodsUpdated: 2}}}},
			Total{Possible: Toll{PodsDeleted: 2, PodsRecreated: 2, PodsUpdated: 3}},
		},
		"rounds that were cut off": {
			Decision{Timeline: &Timeline{Totals: Totals{Delete: 1, Recreate: 1, Marked: 3}}},
			Total{Possible: Toll{PodsDeleted: 4, PodsRecreated: 4}},
		},
	} {
		c.d.Simulate(c.d.Timeline)
		c.d.Sum()
		if name == "what follows" && c.d.Follows[0].Summary.Total.Certain.PodsDeleted != 1 {
			t.Errorf("the first that follows has %+v", c.d.Follows[0].Summary.Total)
		}
		if diff := cmp.Diff(c.want, c.d.Summary.Total); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestChooseCountsPods: ReplicaSets that a Deployment deletes are no Pods.
func TestChooseCountsPods(t *testing.T) {
	one := &Choice{K: 1, N: 2, Of: "victims"}
	for _, c := range []struct {
		actions []Action
		want    int
	}{
		{[]Action{act(Delete, "ReplicaSet", 1, Certain, nil)}, 2},
		{[]Action{act(Delete, "Pod", 1, Certain, nil), act(Delete, "Pod", 1, Possible, one), act(Delete, "Pod", 1, Possible, one), act(Create, "Pod", 4, Certain, nil)}, 4},
		{nil, 0},
	} {
		d := &Decision{Target: Ref{Kind: "ReplicaSet"}}
		d.Do(c.actions...)
		d.Summarize()
		all := Totals{Delete: 2}
		if all.Choose(d); all.Most.PodsDeleted != c.want {
			t.Errorf("%v: %d Pods, want %d", c.actions, all.Most.PodsDeleted, c.want)
		}
	}
}

// TestChooseCountsWhatIsUpdatedInstead: each round may update in place what it recreates.
func TestChooseCountsWhatIsUpdatedInstead(t *testing.T) {
	one := &Choice{K: 1, N: 2, Of: "update"}
	d := &Decision{Actions: []Action{act(Recreate, "Pod", 1, Possible, one), act(UpdateInPlace, "Pod", 1, Possible, one), act(Recreate, "Pod", 1, Possible, one), act(UpdateInPlace, "Pod", 1, Possible, one)}}
	var all Totals
	all.Choose(d)
	all.Choose(d)
	if all.Most.PodsUpdated != 2 {
		t.Errorf("%d Pods are updated in two rounds, want 2", all.Most.PodsUpdated)
	}
}
