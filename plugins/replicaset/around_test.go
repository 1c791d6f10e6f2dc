package replicaset

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// drawRanked is a handful of pods that differ in what comes before their ages, and
// in these.
func drawRanked(t *rapid.T, now time.Time) []traits {
	at := func(name string) age {
		return newAge(now.Add(-time.Duration(rapid.IntRange(1, 2).Draw(t, name))*20*time.Minute), now)
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) traits {
		return traits{
			shown: &shown{}, ready: true, peers: rapid.IntRange(1, 2).Draw(t, "peers"), restarts: rapid.Int32Range(0, 1).Draw(t, "restarts"),
			readySince: at("ready"), created: at("created"), part: rapid.IntRange(0, 1).Draw(t, "part"),
		}
	}), 2, 16).Draw(t, "pods")
}

// TestTurnsAroundTheCut: when all pods are ranked again at a moment, fates turn
// exactly where they do among those around the cut.
func TestTurnsAroundTheCut(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	met := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := &target{behaviour: behaviour{cost: true, buckets: true, sidecars: true, ownedFirst: true, insertion: rapid.SampledFrom([]int{6, 12}).Draw(t, "insertion")}, now: now}
		items := drawRanked(t, now)
		for i := range items {
			items[i].uid = rapid.IntRange(0, 25).Draw(t, "uid")
		}
		cut := rapid.IntRange(1, len(items)).Draw(t, "cut")
		steps := comparatorOf(s.behaviour, now).steps
		order, _ := s.behaviour.cut(items, steps, ranking.Sort(items, steps), cut)
		g := s.around(cut, items, order)
		later := now.Add(time.Duration(rapid.IntRange(1, 5000).Draw(t, "later")) * time.Second)
		turns := g.turns(later)
		older := slices.Clone(items)
		grow(older, later)
		then, _ := s.behaviour.cut(older, steps, ranking.Sort(older, steps), cut)
		if want := !slices.Equal(fates(order, cut, len(items)), fates(then, cut, len(items))); turns != want {
			t.Fatalf("at %v fates turn: %v, among the %d pods around the cut: %v", later, want, len(g.pods), turns)
		}
		if len(g.pods) < len(items) {
			met[turns]++
		}
	})
	if met[true] == 0 || met[false] == 0 {
		t.Errorf("met %v", met)
	}
}
