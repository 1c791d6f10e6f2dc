package rounds

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// left is why the sync leaves something undone: what is in its way before what
// its spec asks for.
func (s synced) left() (why []decision.Ruling, bySpec bool) {
	switch {
	case !s.Decision.Gate.Open:
		return []decision.Ruling{s.Decision.Gate.Ruling}, false
	case s.Outcome.Err() != nil:
		return append(answer.ForbiddenByBudget(s.Decision), s.failed()), false
	}
	var blocked, asked []decision.Ruling
	seen := map[string]bool{}
	add := func(to *[]decision.Ruling, r decision.Ruling) {
		if !seen[r.Rule] {
			seen[r.Rule] = true
			*to = append(*to, r)
		}
	}
	for _, l := range s.Decision.Limits {
		if answer.HoldsUp[l.Rule] || l.Rule == rules.PreparingStays {
			add(&blocked, l)
		}
	}
	for _, u := range s.Decision.Updates {
		switch {
		case u.State == decision.Kept && u.Rule == rules.PartitionKept:
			add(&asked, s.kept(u.Ruling))
		case bySpecRules[u.Rule]:
			add(&asked, u.Ruling)
		case u.Rule == rules.BeingDeleted:
			add(&blocked, decision.Ruled(u.Rule, decision.F(rules.KeyPod, u.Object.Name)))
		case u.State == decision.Waiting || u.State == decision.Refused:
			add(&blocked, u.Ruling)
		}
	}
	why = slices.Concat(blocked, asked)
	if r := s.overdue(); r != nil {
		why = append(why, *r)
	}
	return why, len(blocked) == 0
}

// overdue says that the progress deadline has passed, as the status has it after the sync;
// nil where it has not.
func (s synced) overdue() *decision.Ruling {
	for _, l := range s.Decision.Limits {
		if l.Rule == rules.DeadlinePassed {
			return &l
		}
	}
	return nil
}

// failed is what made the sync fail: the creation or update that was refused, or what
// the API server said.
func (s synced) failed() decision.Ruling {
	if s.Outcome.Uncreated.Rule != "" {
		return s.Outcome.Uncreated
	}
	for _, u := range s.Decision.Updates {
		if u.State == decision.Refused && !rules.ByBudget[u.Rule] {
			return u.Ruling
		}
	}
	return simulate.Refused(s.Outcome.Err().Error())
}

// bySpecRules hold updates back because the spec says so. One that is paused is blocked:
// its updates are outstanding.
var bySpecRules = map[string]bool{rules.OnDeleteIgnored: true}

// kept is the reason of the partition, with its arithmetic where that was said, else with how
// many Pods it keeps.
func (s synced) kept(r decision.Ruling) decision.Ruling {
	for _, why := range s.Decision.Reasons {
		if why.Rule == rules.PartitionStays {
			return why.Ruling
		}
	}
	if of := s.Decision.Rollout; of.Kept > 0 && of.Partition > 0 && !of.Doubted {
		r.Message = answer.Kept(s.Decision, nil)
	}
	return r
}
