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
	if s := (&Decision{Follows: []Effect{{}}}).Staying(); s != nil {
		t.Errorf("nothing is chosen: got %v", s)
	}
}
