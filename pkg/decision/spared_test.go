package decision

import "testing"

// TestFateOf: what follows from the next sync counts, and what rounds may do on another path.
func TestFateOf(t *testing.T) {
	pod := Ref{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "a"}
	act := func(v Verb, name string, c Certainty) Action {
		return Action{Verb: v, Object: Ref{Kind: "Pod", Namespace: "shop", Name: name}, Count: 1, Certainty: c}
	}
	may := Round{Actions: []Action{act(Delete, "a", Possible)}, Depends: true}
	to := func(wanted int, hold ClaimDecision) Decision {
		end := End{Outcome: Stable, Counts: Counts{Wanted: wanted, Pods: wanted}}
		return Decision{Claims: []Claim{{Object: pod, Decision: hold}}, Timeline: &Timeline{Rounds: []Round{may}, End: end}}
	}
	blockedAt := func(wanted int) Decision {
		end := End{Outcome: Blocked, Counts: Counts{Wanted: wanted, Pods: 2}}
		return Decision{Claims: []Claim{{Object: pod, Decision: Owned}}, Timeline: &Timeline{End: end}}
	}
	oneOf := func(name string) Action {
		a := act(Delete, name, Possible)
		a.Choice = &Choice{K: 1, N: 2}
		return a
	}
	inRounds := func(of []Action, rounds ...Round) Decision {
		return Decision{Follows: []Effect{{Actions: of}}, Timeline: &Timeline{Rounds: rounds}}
	}
	tests := []struct {
		name string
		d    Decision
		want Fate
	}{
		{"nothing is done", Decision{}, Safe},
		{"another one goes", Decision{Actions: []Action{act(Delete, "b", Certain)}}, Safe},
		{"adopted", Decision{Actions: []Action{act(Adopt, "a", Certain)}}, Safe},
		{"deleted", Decision{Actions: []Action{act(Delete, "a", Certain)}}, Doomed},
		{"recreated", Decision{Actions: []Action{act(Recreate, "a", Certain)}}, Doomed},
		{"one of several", Decision{Actions: []Action{act(Delete, "a", Possible)}}, AtRisk},
		{"what follows", Decision{Follows: []Effect{{Actions: []Action{act(Delete, "a", Certain)}}}}, Doomed},
		{"a later round", Decision{Timeline: &Timeline{Rounds: []Round{{Actions: []Action{act(Delete, "a", Certain)}}}}}, Doomed},
		{"a round after chance", Decision{Timeline: &Timeline{Rounds: []Round{{Depends: true}}}}, Safe},
		{"one that chances on another path", Decision{Timeline: &Timeline{Rounds: []Round{{Depends: true}}, Unforeseen: map[string]string{"a": "web"}}}, AtRisk},
		{"one of two, and the other later", Decision{Timeline: &Timeline{
			Rounds:     []Round{{Actions: []Action{act(Delete, "a", Possible)}}, {Depends: true, Actions: []Action{act(Delete, "b", Certain)}}},
			Unforeseen: map[string]string{"a": "web", "b": "web"},
		}}, Doomed},
		{"one of three, and another later", Decision{Timeline: &Timeline{
			Rounds:     []Round{{Actions: []Action{act(Delete, "a", Possible)}}, {Depends: true, Actions: []Action{act(Delete, "b", Certain)}}},
			Unforeseen: map[string]string{"a": "web", "b": "web", "c": "web"},
		}}, AtRisk},
		{"one that may be refused", Decision{Timeline: &Timeline{Rounds: []Round{{Actions: []Action{act(Delete, "a", Possible)}}}}}, AtRisk},
		{"a round after one whose counts are open", Decision{Timeline: &Timeline{Rounds: []Round{{Depends: true}}, Uneven: true}}, AtRisk},
		{"all are deleted, in some order", to(0, Owned), Doomed},
		{"all but one", to(1, Owned), AtRisk},
		{"all, and another may adopt it", to(0, ToAdopt), AtRisk},
		{"what follows, and not in the rounds", Decision{Follows: []Effect{{Actions: []Action{act(Delete, "a", Certain)}}}, Timeline: &Timeline{End: End{Outcome: Blocked}}}, AtRisk},
		{"what follows, and in a later round", Decision{Follows: []Effect{{Actions: []Action{act(Delete, "a", Certain)}}}, Timeline: &Timeline{Rounds: []Round{{Actions: []Action{act(Delete, "a", Certain)}}}, End: End{Outcome: Blocked}}}, Doomed},
		{"what follows, perhaps in later rounds", Decision{Follows: []Effect{{Actions: []Action{act(Delete, "a", Certain)}}}, Timeline: &Timeline{End: End{Outcome: Unfinished}}}, Doomed},
		{"one of two at once, and for certain in one order of the syncs", inRounds([]Action{oneOf("a"), oneOf("b")}, Round{Actions: []Action{act(Delete, "a", Certain)}}), AtRisk},
		{"one of two at once, and both in the end", inRounds([]Action{oneOf("a"), oneOf("b")}, Round{Actions: []Action{act(Delete, "a", Certain)}}, Round{Actions: []Action{act(Delete, "b", Certain)}}), Doomed},
		{"its deletion is held", Decision{Target: Ref{Namespace: "shop"}, DeletionHeld: map[string]string{"a": "a hook"}}, Doomed},
		{"a later sync chooses", Decision{Target: Ref{Namespace: "shop"}, ChoiceHeld: map[string]string{"a": "a hook"}}, AtRisk},
		{"a later sync chooses another", Decision{Target: Ref{Namespace: "shop"}, ChoiceHeld: map[string]string{"b": "a hook"}}, Safe},
		{"none is desired, and it is left", blockedAt(0), Doomed},
		{"it is left, and one is desired", blockedAt(1), Safe},
		{"of another namespace", Decision{Actions: []Action{{Verb: Delete, Object: Ref{Kind: "Pod", Namespace: "b", Name: "a"}, Certainty: Certain}}}, Safe},
	}
	for _, tt := range tests {
		if got := tt.d.FateOf(pod).Fate; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		tt.d.Keeps([]Spared{tt.d.FateOf(pod)})
		if tt.d.Loses() != (tt.want != Safe) {
			t.Errorf("%s: loses %v", tt.name, tt.d.Loses())
		}
	}
	later := Decision{Target: Ref{Namespace: "shop"}, ChoiceHeld: map[string]string{"a": "a hook"}, Timeline: &Timeline{Rounds: []Round{{Depends: true}}, Uneven: true, End: End{Outcome: Blocked}}}
	if got := later.FateOf(pod); !got.Unchosen || got.Message != "a hook" {
		t.Errorf("a choice that the rounds do not come to: %+v", got)
	}
	left := blockedAt(0)
	left.Timeline.End.Why = []Ruling{{Message: "a budget forbids it"}}
	if got, want := left.FateOf(pod).Message, "no Pod is desired, and it is deleted once what ends the rounds is over: a budget forbids it"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
