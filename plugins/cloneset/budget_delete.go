package cloneset

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/guard"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// passage is how far budgets let deletions go. The controller does not ask them:
// Kruise's webhook does (pkg/webhook/pod/validating/pod_unavailable_budget.go,
// v1.9.1), and the sync fails with the first pod that it refuses.
type passage struct {
	// whole are the turns that pass.
	whole int
	// by refuses a pod of the turn after them, nil for none; sure tells that it
	// does, whatever the order.
	by   *budget
	sure bool
	// some are the pods of which k at most are deleted after those turns, by
	// chance; exactly k unless loose.
	some  []*core.PodState
	k     int
	loose bool
}

// anyGuarded reports whether budgets may be asked about any of the pods.
func (s *sync) anyGuarded(pods []*core.PodState) bool {
	return s.behaviour.DeletionBudgets && slices.ContainsFunc(pods, func(m *core.PodState) bool { return guard.Budget(m) != "" })
}

// admit asks the budgets, turn by turn.
func (s *sync) admit(turns []turn) passage {
	if !s.behaviour.DeletionBudgets {
		return passage{whole: len(turns)}
	}
	left, vague := purse{}, false
	for i, t := range turns {
		p, unsure := s.pool(t.pods)
		short := p.short(t.most, left)
		if short == nil {
			for _, sh := range p.of {
				left[sh.budget] = left.of(sh.budget) - min(sh.asked, t.most)
			}
			vague = vague || t.least < t.most || !p.alike() && t.most < len(t.pods)
			continue
		}
		out := passage{whole: i, by: short, loose: true}
		exact := !vague && !unsure && t.least == t.most
		switch {
		case exact && p.alike():
			out.sure, out.loose, out.some, out.k = true, false, t.pods, left.of(short)
		case exact && t.most == len(t.pods):
			out.sure, out.some, out.k = true, t.pods, t.most
			for _, sh := range p.of {
				out.k -= max(0, sh.asked-left.of(sh.budget))
			}
		default:
			for _, later := range turns[i:] {
				out.some, out.k = append(out.some, later.pods...), out.k+later.most
			}
		}
		out.some = slices.DeleteFunc(slices.Clone(out.some), func(m *core.PodState) bool {
			b, unsure := s.guard(m)
			return b != nil && !unsure && left.of(b) == 0
		})
		out.k = min(out.k, len(out.some))
		return out
	}
	return passage{whole: len(turns)}
}

// pool is what pods ask before they are deleted; unsure tells that for some of
// them, or of what their budget says, that is not known.
func (s *sync) pool(pods []*core.PodState) (p *pool, unsure bool) {
	p = &pool{}
	for _, m := range pods {
		b, not := s.guard(m)
		p.add(b)
		unsure = unsure || not
	}
	return p, unsure
}

// guard is the budget that is asked before a pod's deletion, nil for none;
// unsure tells that whether it is, or what it says, is not known.
func (s *sync) guard(m *core.PodState) (b *budget, unsure bool) {
	if _, held := s.set.DeleteHook().Holding(m.Pod); held {
		return nil, false
	}
	switch a := s.asks(m, onDeletion); {
	case a.of == nil, a.of.unread: // of one that was not read, a caveat tells
		return nil, false
	default:
		return a.of, a.unsure || a.of.stale
	}
}

// short is a budget that can't let n of the pool's pods through.
func (p *pool) short(n int, left purse) *budget {
	for _, sh := range p.of {
		if min(sh.asked, n) > left.of(sh.budget) {
			return sh.budget
		}
	}
	return nil
}

// tell puts on record what the budgets come to.
func (s *sync) tell(p passage) {
	switch {
	case p.by == nil:
		return
	case !p.sure:
		s.budgets.mayForbid = p.by
	default:
		s.budgets.forbidding = p.by
		s.found(p.by.ref, decision.Ruled(rules.BudgetForbids, budgetFacts(p.by, p.by.left())...))
		s.outcome.scaleFails(fmt.Errorf("PodUnavailableBudget %s does not allow a Pod to be deleted", p.by.name))
		s.chance.fail(p.loose)
	}
	s.chance.updateInstead(p.loose && p.by.left() == 0)
}

// countAgain takes a budget as its controller will count it once the what-if's
// replicas are there. Until it has, the webhook goes by the old count, and the
// sync that it refuses is tried again.
func (s *sync) countAgain(b *budget, of *counted) {
	if !s.r.WhatIf() || int(b.status.TotalReplicas) == s.set.Desired() {
		return
	}
	pods, known := s.podsOf(s.r.AllMetadata(view.Pods), of)
	if !known {
		b.stale = true
		return
	}
	b.recounted = int(b.status.TotalReplicas)
	b.status, _ = s.tally(of, pods, s.now)
}
