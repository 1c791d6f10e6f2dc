package decision

import "testing"

// TestSimulateCountsNothingLater: what later syncs delete is among the rounds, and what the
// rounds find blocked is not deleted later.
func TestSimulateCountsNothingLater(t *testing.T) {
	a, b := Ref{Kind: "Pod", Name: "a"}, Ref{Kind: "Pod", Name: "b"}
	rounds := []Round{{Number: 1, Actions: []Action{{Verb: Delete, Object: a, Count: 1, Certainty: Certain}}}}
	order := func() *Ranking {
		return &Ranking{Rows: []Ranked{{Object: a, Fate: Safe, Later: Doomed}, {Object: b, Fate: Safe, Later: Doomed}}}
	}
	for outcome, later := range map[Outcome]Fate{Blocked: "", Unfinished: Doomed} {
		d := &Decision{Ranking: order(), Later: Toll{PodsDeleted: 2}, Follows: []Effect{{Ranking: order(), Later: Toll{PodsDeleted: 2}}}}
		d.Simulate(&Timeline{Rounds: rounds, End: End{Outcome: outcome}})
		d.Sum()
		for _, o := range []*Ranking{d.Ranking, d.Follows[0].Ranking} {
			if o.Rows[0].Later != Doomed || o.Rows[1].Later != later {
				t.Errorf("%s: later a %q, b %q; want b %q", outcome, o.Rows[0].Later, o.Rows[1].Later, later)
			}
		}
		if d.Summary.Total.Later != (Toll{}) || d.Follows[0].Summary.Total.Later != (Toll{}) {
			t.Errorf("%s: counted as later beside the rounds: %v, %v", outcome, d.Summary.Total.Later, d.Follows[0].Summary.Total.Later)
		}
	}
}
