package simulate

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// pick is what happens on the path that is followed: all certain actions, and
// of those that chance picks from, the first ones. Objects of other kinds, such
// as the volume claims of pods, go with what is picked: their Writes say which.
// chance reports whether there was anything to pick.
func pick(actions []decision.Action) (picked []decision.Action, chance bool) {
	taken, kind := map[decision.Pool]int{}, map[string]string{}
	picked = make([]decision.Action, 0, len(actions))
	for i := range actions {
		a := &actions[i]
		pool, shared := a.Pool()
		if !shared {
			picked, chance = append(picked, *a), chance || a.Certainty == decision.Possible
			continue
		}
		chance = true
		if _, seen := kind[pool.Of]; !seen {
			kind[pool.Of] = pool.Kind
		}
		if taken[pool] < a.Choice.K || kind[pool.Of] != pool.Kind {
			taken[pool]++
			picked = append(picked, *a)
		}
	}
	return picked, chance
}

// uneven reports whether the counts depend on what chance picks: how many pods is
// open, or those of one choice do not all stand alike.
func uneven(actions []decision.Action, pods []Pod) bool {
	stands := map[string]Pod{}
	for _, p := range pods {
		stands[p.Name] = p
	}
	first := map[decision.Pool]Pod{}
	for _, a := range actions {
		pool, shared := a.Pool()
		if !shared || a.Object.Name == "" {
			continue
		}
		if a.Choice.AtMost {
			return true
		}
		p, ok := stands[a.Object.Name]
		p.Name = ""
		if other, seen := first[pool]; seen && ok && other != p {
			return true
		}
		first[pool] = p
	}
	return false
}

// unlike reports whether not the same becomes of all Pods of one choice: another verb, or
// more objects that go with them.
func (s *Sync) unlike() bool {
	type deed struct {
		verb decision.Verb
		with int
	}
	with, first := make([]int, len(s.Writes)+1), map[decision.Pool]deed{}
	for i := range s.Decision.Actions {
		if n := s.Decision.Actions[i].Write; n > 0 {
			with[s.Writes[n-1].With]++
		}
	}
	for i := range s.Decision.Actions {
		a := &s.Decision.Actions[i]
		pool, shared := a.Pool()
		if !shared || a.Write == 0 {
			continue
		}
		of := deed{a.Verb, with[a.Write]}
		if other, seen := first[pool]; seen && other != of {
			return true
		}
		first[pool] = of
	}
	return false
}
