package replicaset

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// contest takes back what is certain only because this set adopts orphans that
// others may adopt first. The sync is decided again for each course in which
// some of them are lost, and what not every course has is possible. It returns the
// courses.
func (s *sync) contest() (courses []*sync) {
	if len(s.claims.contested) == 0 {
		return nil
	}
	losses, all := ownership.Losses(s.r, view.Pods, s.set.UID, s.claims.contested)
	for _, lost := range losses {
		courses = append(courses, s.without(lost))
	}
	certain, possible := s.deletions(), map[string]bool{}
	for _, o := range courses {
		deletes := o.deletions()
		for pod := range deletes {
			possible[pod] = true
		}
		for pod := range certain {
			if !all || deletes[pod] != decision.Certain {
				delete(certain, pod)
			}
		}
	}
	names := ownership.NamesOf(s.claims.contested)
	for i := range s.d.Actions {
		a := &s.d.Actions[i]
		switch {
		case a.Verb != decision.Delete:
		case a.Choice != nil:
			a.Choice.AtMost = !all || slices.ContainsFunc(courses, func(o *sync) bool { return o.chosen() != *a.Choice })
		case a.Certainty == decision.Certain && certain[a.Object.Name] == "":
			a.DoubtAs(decision.Ruled(DeleteIfAdopted, decision.F(keyOrphans, names)))
		}
	}
	s.contestFates(courses, certain, possible)
	return courses
}

// chosen is how many Pods of how many that no criterion tells apart are deleted.
func (s *sync) chosen() decision.Choice {
	for i := range s.d.Actions {
		if a := &s.d.Actions[i]; a.Verb == decision.Delete && a.Choice != nil {
			return *a.Choice
		}
	}
	return decision.Choice{}
}

// deletions are the names of the Pods that the sync deletes, or may delete.
func (s *sync) deletions() map[string]decision.Certainty {
	out := make(map[string]decision.Certainty, len(s.d.Actions))
	for i := range s.d.Actions {
		if a := &s.d.Actions[i]; a.Verb == decision.Delete {
			out[a.Object.Name] = a.Certainty
		}
	}
	return out
}

// contestFates brings the ranking in line with all courses: a Pod is certain or
// safe that is so in each.
func (s *sync) contestFates(courses []*sync, certain map[string]decision.Certainty, possible map[string]bool) {
	if s.d.Ranking == nil {
		return
	}
	for i := range s.d.Ranking.Rows {
		row := &s.d.Ranking.Rows[i]
		if row.Fate == decision.Doomed && certain[row.Object.Name] == "" || row.Fate == decision.Safe && possible[row.Object.Name] {
			row.Fate = decision.AtRisk
		}
		if row.Later != "" {
			row.Later = decision.AtRisk // of fewer Pods, fewer are too many
		}
	}
	for _, o := range courses {
		if o.d.Ranking != nil {
			s.d.Ranking.HoldsUntil = earliest(s.d.Ranking.HoldsUntil, o.d.Ranking.HoldsUntil)
		}
	}
}

// contestedFields marks the status fields that another course writes otherwise.
func (s *sync) contestedFields(fields []decision.FieldChange, writes bool) []decision.FieldChange {
	for _, o := range s.courses {
		for i, f := range o.statusFields(o.nextStatus(), writes) {
			if f.Next != fields[i].Next {
				fields[i].Certainty = decision.Possible
			}
		}
	}
	return fields
}

func earliest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}
