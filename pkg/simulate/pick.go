package simulate

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// group are the actions that share one choice.
type group struct {
	verb   decision.Verb
	kind   string
	choice decision.Choice
}

// pick is what happens on the path that is followed: all certain actions, and
// of those that chance picks from, the first ones. chance tells whether there
// was anything to pick.
func pick(actions []decision.Action) (picked []decision.Action, chance bool) {
	size := map[group]int{}
	for _, a := range actions {
		if a.Choice != nil {
			size[groupOf(a)]++
		}
	}
	taken := map[group]int{}
	for _, a := range actions {
		if a.Choice == nil || a.Verb == decision.Create || a.Verb == decision.Adopt {
			picked, chance = append(picked, a), chance || a.Certainty == decision.Possible
			continue
		}
		chance = true
		g := groupOf(a)
		share := g.choice.K
		if size[g] <= g.choice.K { // each for itself, such as 1 of 1
			share = size[g]
		}
		if taken[g] < share {
			taken[g]++
			picked = append(picked, a)
		}
	}
	return picked, chance
}

func groupOf(a decision.Action) group { return group{classOf(a.Verb), a.Object.Kind, *a.Choice} }

// classOf puts the verbs of a rollout into one class: its pods share one
// choice, whatever is done to each of them.
func classOf(v decision.Verb) decision.Verb {
	switch v {
	case decision.UpdateInPlace, decision.Recreate, decision.SetState:
		return decision.UpdateInPlace
	}
	return v
}

// uneven tells whether the counts depend on which pods chance picks: those of
// one group do not all stand alike.
func uneven(actions []decision.Action, pods []Pod) bool {
	stands := map[string]Pod{}
	for _, p := range pods {
		stands[p.Name] = p
	}
	first := map[group]Pod{}
	for _, a := range actions {
		if a.Choice == nil || a.Object.Name == "" || a.Verb == decision.Create {
			continue
		}
		p, ok := stands[a.Object.Name]
		p.Name = ""
		g := groupOf(a)
		if other, seen := first[g]; seen && ok && other != p {
			return true
		}
		first[g] = p
	}
	return false
}
