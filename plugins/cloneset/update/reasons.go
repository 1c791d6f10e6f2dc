package update

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// reasons answers what a reader of a rollout asks first: why in place or not,
// why so many at once, and why the others stay.
func (s *updating) reasons(r *rollout) {
	s.whyThisWay(r.target, r.waiting.Places)
	unavailable, _ := s.unavailable(r.target)
	free := unavailable == 0 && len(s.Pods) == s.Limits.Replicas && s.Budgets.Refusing == ""
	// Else the number is no other than that of all that wait, or a budget's.
	if num := core.Abs(r.diffs.UpdateNum); num != 0 && r.refused == nil && (free && r.diffs.UpdateMaxUnavailable <= num || r.spending.chosen < min(num, len(r.waiting.Places))) {
		s.Reason(rules.UpdatesAtOnce,
			decision.Derived(rules.KeyUpdateMaxUnavailable, r.diffs.UpdateMaxUnavailable, "maxUnavailable + pods − replicas",
				s.amount(decision.KeyMaxUnavailable, s.Limits.MaxUnavailable, "updateStrategy.maxUnavailable"),
				decision.F(rules.KeyPods, len(s.Pods)), s.amount(rules.KeyReplicas, s.Limits.Replicas, "replicas")),
			decision.F(rules.KeySurge, s.Limits.MaxSurge), decision.F(rules.KeyUnavailable, unavailable),
			decision.F(rules.KeyBudget, s.Budgets.Refusing))
	}
	back := s.tooFar()
	if back > 0 && r.diffs.UpdateNum == 0 && s.Limits.Partition > 0 {
		s.Reason(rules.PartitionTakesNoneBack, decision.F(rules.KeyUpdated, back+s.Limits.Replicas-s.Limits.Partition),
			decision.F(rules.KeyWanted, s.Limits.Replicas-s.Limits.Partition), decision.F(rules.KeyBack, back))
	}
	if stay := s.Limits.Partition - max(back, 0); stay > 0 && !s.Limits.SameRevision {
		s.Reason(rules.PartitionStays, s.amount(rules.KeyPartition, s.Limits.Partition, "updateStrategy.partition"),
			decision.F(rules.KeyReplicas, s.Limits.Replicas), decision.F(rules.KeyStay, stay))
	}
}

// tooFar is how many pods more are updated than the partition leaves, where
// there is a revision to go back to and the gate for it is off.
func (s *updating) tooFar() int {
	if s.Limits.SameRevision || s.Limits.Rollback {
		return 0
	}
	updated := 0
	for _, m := range s.Pods {
		if m.Updated {
			updated++
		}
	}
	return updated - (s.Limits.Replicas - s.Limits.Partition)
}

// whyThisWay compares each revision that pods wait on with the target.
func (s *updating) whyThisWay(target *revision.Revision, waiting []*core.PodState) {
	if !s.Set.InPlace() || s.Revisions.Unread && s.Behaviour.RecreateOnClaims {
		return
	}
	seen := map[string]bool{}
	for _, m := range waiting {
		old := s.Revisions.Of(m)
		if old == nil || seen[old.Name] {
			continue
		}
		seen[old.Name] = true
		c := s.Changes.Between(old, target)
		rule := rules.InPlacePossible
		if c.Forbidden != "" {
			rule = rules.InPlaceImpossible
		}
		s.Reason(rule, append(c.Facts(), decision.F(rules.KeyFrom, kruise.ShortHash(old.Name)), decision.F(rules.KeyNew, target.Number == 0 || s.Revisions.IsNew()), decision.F(rules.KeyRevision, kruise.ShortHash(target.Name)))...)
	}
}

// amount is a number with the text in the spec that it was made from.
func (s *updating) amount(name decision.Key, value int, field string) decision.Fact {
	f := decision.At(name, value, s.Set.Ref.String()+" spec."+field)
	if text := s.Set.Written(field); text != "" && text != fmt.Sprint(value) {
		f.Of = decision.Facts{decision.F(name+rules.KeyAsWritten, text)}
	}
	return f
}
