package cloneset

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// reasons answers what a reader of a rollout asks first: why in place or not,
// why so many at once, and why the others stay.
func (s *sync) reasons(r *rollout) {
	s.whyThisWay(r)
	if r.diffs.UpdateNum != 0 {
		unavailable, _ := s.unavailable(r.target)
		s.reason(rules.UpdatesAtOnce,
			decision.Derived("updateMaxUnavailable", r.diffs.UpdateMaxUnavailable, "maxUnavailable + pods − replicas",
				s.amount("maxUnavailable", s.limits.MaxUnavailable, "updateStrategy.maxUnavailable"),
				decision.F("pods", len(s.pods)), s.amount("replicas", s.limits.Replicas, "replicas")),
			decision.F("surge", s.limits.MaxSurge), decision.F("unavailable", unavailable))
	}
	if back := s.tooFar(); back > 0 && r.diffs.UpdateNum == 0 {
		s.reason(rules.PartitionTakesNoneBack, decision.F("updated", back+s.limits.Replicas-s.limits.Partition),
			decision.F("wanted", s.limits.Replicas-s.limits.Partition), decision.F("back", back))
	}
	if s.limits.Partition > 0 && !s.limits.SameRevision {
		s.reason(rules.PartitionStays, s.amount("partition", s.limits.Partition, "updateStrategy.partition"), decision.F("replicas", s.limits.Replicas))
	}
}

// tooFar is how many pods more are updated than the partition leaves, where
// there is a revision to go back to and the gate for it is off.
func (s *sync) tooFar() int {
	if s.limits.SameRevision || s.limits.Rollback {
		return 0
	}
	updated := 0
	for _, m := range s.pods {
		if m.Updated {
			updated++
		}
	}
	return updated - (s.limits.Replicas - s.limits.Partition)
}

// whyThisWay compares each revision that pods wait on with the target.
func (s *sync) whyThisWay(r *rollout) {
	if !s.set.InPlace() || s.revisions.Unread {
		return
	}
	seen := map[string]bool{}
	for _, m := range r.waiting.Places {
		old := s.revisions.Of(m)
		if old == nil || seen[old.Name] {
			continue
		}
		seen[old.Name] = true
		c := s.changes.Between(old, r.target)
		rule := rules.InPlacePossible
		if c.Forbidden != "" {
			rule = rules.InPlaceImpossible
		}
		s.reason(rule, append(c.Facts(), decision.F("from", kruise.ShortHash(old.Name)), decision.F("new", r.target.Number == 0 || s.revisions.IsNew()), decision.F("revision", kruise.ShortHash(r.target.Name)))...)
	}
}

func (s *sync) reason(rule string, facts ...decision.Fact) {
	s.d.Reasons = append(s.d.Reasons, decision.Reason{Ruling: decision.Ruled(rule, facts...)})
}

// amount is a number with the text in the spec that it was made from.
func (s *sync) amount(name string, value int, field string) decision.Fact {
	f := decision.At(name, value, s.set.Ref.String()+" spec."+field)
	if text := s.set.Written(field); text != "" && text != fmt.Sprint(value) {
		f.Of = decision.Facts{decision.F(name+" as written", text)}
	}
	return f
}
