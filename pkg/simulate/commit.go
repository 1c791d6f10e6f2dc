package simulate

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// unpicked are the numbers of the writes whose actions are not picked.
func (s *Sync) unpicked(picked []decision.Action) map[int]bool {
	taken := make([]bool, len(s.Writes)+1)
	for i := range picked {
		taken[picked[i].Write] = true
	}
	left := map[int]bool{}
	for i := range s.Decision.Actions {
		if n := s.Decision.Actions[i].Write; !taken[n] {
			left[n] = true
		}
	}
	return left
}

// commit makes the sync's writes but for those that are left out. It returns what was
// picked and accepted, creations one by one under their names.
func (s *Sync) commit(m *cluster.Model, picked []decision.Action, left map[int]bool) []decision.Action {
	does := make([]*decision.Action, len(s.Writes)+1)
	for i := range picked {
		does[picked[i].Write] = &picked[i]
	}
	done := make([]decision.Action, 0, len(picked))
	for i, names := range m.CommitAll(s.Writes, left) {
		if a, w := does[i+1], &s.Writes[i]; a != nil && names != nil && w.Err == nil {
			done = made(done, a, w, names)
		}
	}
	return done
}

// made adds the actions of one write, one for each object that it created.
func made(done []decision.Action, a *decision.Action, w *cluster.Write, created []string) []decision.Action {
	if len(created) == 0 {
		return append(done, *a)
	}
	for _, name := range created {
		one := *a
		one.Count, one.Object.Name = 1, name
		if w.Drawn != nil {
			one.Share(w.Drawn)
		}
		done = append(done, one)
	}
	return done
}
