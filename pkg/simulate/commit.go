package simulate

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// unpicked are the numbers of the writes whose actions are not picked.
func (s *Sync) unpicked(picked []decision.Action) map[int]bool {
	left := map[int]bool{}
	for i := range s.Decision.Actions {
		left[s.Decision.Actions[i].Write] = true
	}
	for _, a := range picked {
		delete(left, a.Write)
	}
	return left
}

// commit makes the sync's writes but for those that are left out. It returns what was
// picked and done, creations one by one under their names.
func (s *Sync) commit(m *cluster.Model, picked []decision.Action, left map[int]bool) (done []decision.Action) {
	makes := make(map[int]decision.Action, len(picked))
	for _, a := range picked {
		makes[a.Write] = a
	}
	created := m.CommitAll(s.Writes, left)
	for i := range s.Writes {
		names, happened := created[i+1]
		if a, ok := makes[i+1]; ok && happened {
			done = append(done, made(a, &s.Writes[i], names)...)
		}
	}
	return done
}

// made are the actions of one write, one for each object that it created.
func made(a decision.Action, w *cluster.Write, created []string) []decision.Action {
	if len(created) == 0 {
		return []decision.Action{a}
	}
	all := make([]decision.Action, len(created))
	for i, name := range created {
		all[i] = a
		all[i].Count, all[i].Object.Name = 1, name
		if w.Drawn != nil {
			all[i].Share(w.Drawn)
		}
	}
	return all
}
