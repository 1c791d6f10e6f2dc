package simulate

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// commit makes the sync's writes, of those of its actions only the picked ones. It
// returns what was picked, creations one by one under their names, and whether
// anything is other than before.
func (s *Sync) commit(m *cluster.Model, picked []decision.Action) (done []decision.Action, changed bool) {
	left := map[int]bool{}
	for i := range s.Decision.Actions {
		left[s.Decision.Actions[i].Write] = true
	}
	makes := make(map[int]decision.Action, len(picked))
	for _, a := range picked {
		delete(left, a.Write)
		makes[a.Write] = a
	}
	for i := range s.Writes {
		w := &s.Writes[i]
		if left[i+1] || w.With > 0 && (left[w.With] || w.Verb == cluster.Create) {
			continue
		}
		created, other := m.Commit(w, s.creationsWith(i+1)...)
		changed = changed || other
		if a, ok := makes[i+1]; ok {
			done = append(done, made(a, w, created)...)
		}
	}
	return done, changed
}

// creationsWith are the creations that go with that of the number n.
func (s *Sync) creationsWith(n int) (with []*cluster.Write) {
	if s.Writes[n-1].Verb != cluster.Create {
		return nil
	}
	for i := range s.Writes {
		if s.Writes[i].With == n && s.Writes[i].Verb == cluster.Create {
			with = append(with, &s.Writes[i])
		}
	}
	return with
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
			all[i].Certainty, all[i].Choice = decision.Possible, w.Drawn
		}
	}
	return all
}
