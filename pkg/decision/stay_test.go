package decision

import (
	"fmt"
	"testing"
)

// TestStay: what a scale-down keeps is counted by node and zone, and a zone that it empties
// is named where another one keeps several.
func TestStay(t *testing.T) {
	order := func(pods ...string) *Ranking { // fate and node
		r := &Ranking{}
		for _, p := range pods {
			r.Rows = append(r.Rows, Ranked{Fate: map[byte]Fate{'+': Safe, '?': AtRisk, '-': Doomed}[p[0]], Node: p[1:]})
		}
		return r
	}
	zones := map[string]string{"a1": "a", "a2": "a", "b1": "b", "c1": "c"}
	for _, tt := range []struct {
		name    string
		d       Decision
		pods    int
		want    string
		emptied string
	}{
		{"a zone is emptied", Decision{Ranking: order("-b1", "-b1", "-a1", "+a1", "+a2")}, 5,
			"2 [{a1 1 0 2} {a2 1 0 1} {b1 0 0 2}] [{a 2 0 3} {b 0 0 2}]", "[{b 0 0 2}]"},
		{"a zone may be emptied", Decision{Ranking: order("-b1", "?b1", "?a1", "+a1", "+a2")}, 5,
			"2 [{a1 1 1 2} {a2 1 0 1} {b1 0 1 2}] [{a 2 1 3} {b 0 1 2}]", "[{b 0 1 2}]"},
		{"none keeps several", Decision{Ranking: order("-b1", "+a1", "+c1")}, 3,
			"2 [{a1 1 0 1} {c1 1 0 1} {b1 0 0 1}] [{a 1 0 1} {c 1 0 1} {b 0 0 1}]", "[]"},
		{"Pods on no node", Decision{Ranking: order("-", "-b1", "+", "+a1")}, 4, "2 [{a1 1 0 1} {b1 0 0 1}] [{a 1 0 1} {b 0 0 1}]", "[]"},
		{"several groups", Decision{Ranking: order("-b1"), MoreRankings: []*Ranking{order("+a1")}, Follows: []Effect{{}, {Ranking: order("+a2")}}}, 3,
			"2 [{a1 1 0 1} {a2 1 0 1} {b1 0 0 1}] [{a 2 0 2} {b 0 0 1}]", "[{b 0 0 1}]"},
		{"Pods that were not chosen from", Decision{Ranking: order("-b1", "+a1", "+a2")}, 4, "2 [{a1 1 0 1} {a2 1 0 1} {b1 0 0 1}] []", "[]"},
		{"a node without a zone", Decision{Ranking: order("-b1", "+a1", "+x1")}, 3, "2 [{a1 1 0 1} {x1 1 0 1} {b1 0 0 1}] []", "[]"},
	} {
		s := tt.d.Staying()
		s.In(zones, tt.pods)
		if got := fmt.Sprint(s.Pods, s.Nodes, s.Zones); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if got := fmt.Sprint(s.Emptied()); got != tt.emptied {
			t.Errorf("%s: emptied %s, want %s", tt.name, got, tt.emptied)
		}
	}
	going := Decision{
		Target: Ref{Namespace: "shop"}, Placed: map[string]string{"db-0": "a1", "db-1": "b1", "db-2": "b1"},
		Actions:      []Action{{Verb: Delete, Certainty: Certain, Object: Ref{Kind: podKind, Namespace: "shop", Name: "db-2"}}},
		DeletionHeld: map[string]string{"db-1": "later"},
	}
	if got := fmt.Sprint(*going.Staying()); got != "{1 3 0 [{a1 1 0 1} {b1 0 0 2}] [] 0}" {
		t.Errorf("no choice: got %s", got)
	}
	blocked := going
	blocked.Actions, blocked.Timeline = nil, &Timeline{End: End{Outcome: Blocked}}
	if got := fmt.Sprint(*blocked.Staying()); got != "{2 3 0 [{a1 1 0 1} {b1 1 1 2}] [] 0}" {
		t.Errorf("what waits for the end of rounds may stay: got %s", got)
	}
	blocked.Timeline = nil
	if got := fmt.Sprint(*blocked.Staying()); got != "{2 3 0 [{a1 1 0 1} {b1 1 1 2}] [] 0}" {
		t.Errorf("so may what waits for another sync: got %s", got)
	}
	going.Timeline = &Timeline{Rounds: []Round{{Actions: going.Actions}, {Actions: []Action{{Verb: Delete, Certainty: Certain, Object: Ref{Kind: podKind, Namespace: "shop", Name: "db-1"}}}}}}
	if got := fmt.Sprint(*going.Staying()); got != "{1 3 0 [{a1 1 0 1} {b1 0 0 2}] [] 0}" {
		t.Errorf("a round deletes what the first sync holds: got %s", got)
	}
	ranked := Decision{Target: Ref{Namespace: "shop"}, Ranking: &Ranking{Rows: []Ranked{
		{Object: Ref{Kind: podKind, Namespace: "shop", Name: "x"}, Fate: Safe, Node: "a1"}, {Object: Ref{Kind: podKind, Namespace: "shop", Name: "y"}, Fate: Safe, Node: "b1"},
	}}, Timeline: &Timeline{Rounds: []Round{{Actions: []Action{{Verb: Delete, Certainty: Certain, Object: Ref{Kind: podKind, Namespace: "shop", Name: "x"}}}}}}}
	if got := fmt.Sprint(*ranked.Staying()); got != "{1 2 0 [{b1 1 0 1} {a1 0 0 1}] [] 0}" {
		t.Errorf("a later round deletes: got %s", got)
	}
	of := func(name string) Ref { return Ref{Kind: podKind, Namespace: "shop", Name: name} }
	chosen := Decision{Target: Ref{Namespace: "shop"}, Ranking: &Ranking{Rows: []Ranked{{Object: of("x"), Node: "a1"}, {Object: of("y"), Node: "b1"}, {Object: of("z"), Node: "c1"}}}, Timeline: &Timeline{
		Unforeseen: map[string]string{"x": "one", "y": "one", "z": "one"},
		Rounds: []Round{{Depends: true, Actions: []Action{
			{Verb: Delete, Certainty: Certain, Object: of("x")}, {Verb: Delete, Certainty: Certain, Object: of("y")},
		}}},
	}}
	if got := fmt.Sprint(*chosen.Staying()); got != "{0 3 0 [{a1 0 1 1} {b1 0 1 1} {c1 0 1 1}] [] 0}" {
		t.Errorf("chance leaves one: got %s", got)
	}
	ranked.Timeline.Totals.Create = 1
	if s := ranked.Staying(); s != nil {
		t.Errorf("a round creates: got %v", s)
	}
	if s := (&Decision{Follows: []Effect{{}}}).Staying(); s != nil {
		t.Errorf("nothing is chosen: got %v", s)
	}
}
