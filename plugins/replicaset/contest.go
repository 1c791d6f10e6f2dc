package replicaset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// contest takes back what is certain only because this set adopts orphans that
// others may adopt first. The sync is decided again for each course in which
// some of them are lost, and what not every course has is possible.
func (s *sync) contest() {
	if len(s.claims.contested) == 0 {
		return
	}
	losses, all := ownership.PodLosses(s.r, s.set.Namespace, s.set.UID, s.claims.contested)
	for _, lost := range losses {
		s.courses = append(s.courses, s.without(lost))
	}
	certain, possible := s.deletions(), map[decision.Ref]bool{}
	for _, o := range s.courses {
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
		if a.Verb == decision.Delete && a.Certainty == decision.Certain && certain[a.Object] == "" {
			a.Certainty, a.Ruling = decision.Possible, decision.Ruled(DeleteIfAdopted, decision.F("orphans", names))
		}
	}
	s.contestFates(certain, possible)
}

// without is the sync up to its last creation or deletion, had others adopted
// the lost orphans.
func (s *sync) without(lost ownership.Lost) *sync {
	o := &sync{
		r: s.r, profile: s.profile, behaviour: s.behaviour, given: s.given, set: s.set, now: s.now,
		expected: s.given.Expectations, lost: lost, d: &decision.Decision{},
	}
	o.claims = o.claim()
	o.count()
	o.gate()
	if o.claims.err == nil && o.d.Gate.Open {
		o.manage()
	}
	return o
}

// deletions are the Pods that the sync deletes, or may delete.
func (s *sync) deletions() map[decision.Ref]decision.Certainty {
	out := make(map[decision.Ref]decision.Certainty, len(s.d.Actions))
	for i := range s.d.Actions {
		if a := &s.d.Actions[i]; a.Verb == decision.Delete {
			out[a.Object] = a.Certainty
		}
	}
	return out
}

// contestFates brings the ranking in line with all courses: a Pod is certain or
// safe that is so in each.
func (s *sync) contestFates(certain map[decision.Ref]decision.Certainty, possible map[decision.Ref]bool) {
	if s.d.Ranking == nil {
		return
	}
	for i := range s.d.Ranking.Rows {
		row := &s.d.Ranking.Rows[i]
		if row.Fate == decision.Doomed && certain[row.Object] == "" || row.Fate == decision.Safe && possible[row.Object] {
			row.Fate = decision.AtRisk
		}
	}
	for _, o := range s.courses {
		if o.d.Ranking != nil {
			s.d.Ranking.HoldsUntil = earliest(s.d.Ranking.HoldsUntil, o.d.Ranking.HoldsUntil)
		}
	}
}

// contestFields marks the status fields that another course writes otherwise.
func (s *sync) contestFields() {
	for _, o := range s.courses {
		o.d.Status.Writes = s.d.Status.Writes
		for i, f := range o.statusFields(o.nextStatus()) {
			if f.Next != s.d.Status.Fields[i].Next {
				s.d.Status.Fields[i].Certainty = decision.Possible
			}
		}
	}
}

func earliest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}
