package simulate

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// pick is what happens on the path that is followed: all certain actions, and of each
// choice that is not determined the first ones, of each object one. Objects of other kinds,
// such as the volume claims of Pods, go with what is picked: their Writes say which. chance
// reports whether there was anything to pick.
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
		if n := len(picked); n > 0 && picked[n-1].Choice == a.Choice && picked[n-1].Object == a.Object {
			continue // one or the other
		}
		if taken[pool] < a.Choice.K || kind[pool.Of] != pool.Kind {
			taken[pool]++
			picked = append(picked, *a)
		}
	}
	return picked, chance
}

// uneven reports whether the counts depend on what chance picks: how many pods is
// open, those of one choice do not all stand alike, or not the same becomes of all: not all
// have a kubelet in the model that does it, or leave a place that a Pod waits for.
func (s *Sync) uneven(m *cluster.Model) bool {
	type course struct {
		stands            Pod
		unserved, vacates bool
		verb              decision.Verb
		// with is how many other objects go with the Pod.
		with int
	}
	stands := map[string]Pod{}
	for _, p := range s.Pods {
		stands[p.Name] = p
	}
	with := make([]int, len(s.Writes)+1)
	for i := range s.Decision.Actions {
		if n := s.Decision.Actions[i].Write; n > 0 {
			with[s.Writes[n-1].With]++
		}
	}
	first := map[decision.Pool]course{}
	for i := range s.Decision.Actions {
		a := &s.Decision.Actions[i]
		pool, shared := a.Pool()
		if !shared || a.Object.Name == "" {
			continue
		}
		if a.Choice.AtMost {
			return true
		}
		of := course{stands: stands[a.Object.Name], unserved: m.Unserved(a.Object.Namespace, a.Object.Name), vacates: m.Vacates(a.Object.Namespace, a.Object.Name), verb: a.Verb}
		if of.stands.Name = ""; a.Write > 0 {
			of.with = with[a.Write]
		}
		if other, seen := first[pool]; seen && other != of {
			return true
		}
		first[pool] = of
	}
	return false
}
