package scale

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
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
	by   *pubcontrol.Budget
	sure bool
	// some are the pods of which k at most are deleted after those turns, by
	// chance; exactly k unless loose.
	some  []*core.PodState
	k     int
	loose bool
}

// admit asks the budgets, turn by turn.
func (s *scaling) admit(turns []turn) passage {
	if !s.Behaviour.DeletionBudgets {
		return passage{whole: len(turns)}
	}
	left, vague := pubcontrol.Remaining{}, false
	for i, t := range turns {
		p, unsure := s.pool(t.pods)
		short := p.Short(t.most, left)
		if short == nil {
			for _, sh := range p.Of {
				left[sh.Budget] = left.Of(sh.Budget) - min(sh.Asked, t.most)
			}
			vague = vague || t.least < t.most || !p.Alike() && t.most < len(t.pods)
			continue
		}
		out := passage{whole: i, by: short, loose: true}
		exact := !vague && !unsure && t.least == t.most
		switch {
		case exact && p.Alike():
			out.sure, out.loose, out.some, out.k = true, false, t.pods, left.Of(short)
		case exact && t.most == len(t.pods):
			out.sure, out.some, out.k = true, t.pods, t.most
			for _, sh := range p.Of {
				out.k -= max(0, sh.Asked-left.Of(sh.Budget))
			}
		default:
			for _, later := range turns[i:] {
				out.some, out.k = append(out.some, later.pods...), out.k+later.most
			}
		}
		out.some = slices.DeleteFunc(slices.Clone(out.some), func(m *core.PodState) bool {
			b, unsure := s.Budgets.Guard(m)
			return b != nil && !unsure && left.Of(b) == 0
		})
		out.k = min(out.k, len(out.some))
		return out
	}
	return passage{whole: len(turns)}
}

// pool is what pods ask before they are deleted; unsure tells that for some of
// them, or of what their budget says, that is not known.
func (s *scaling) pool(pods []*core.PodState) (p *pubcontrol.Pool, unsure bool) {
	p = &pubcontrol.Pool{}
	for _, m := range pods {
		b, not := s.Budgets.Guard(m)
		p.Add(b)
		unsure = unsure || not
	}
	return p, unsure
}

// tell puts on record what the budgets come to.
func (s *scaling) tell(p passage) {
	switch {
	case p.by == nil:
		return
	case !p.sure:
		s.Budgets.MayForbid = p.by
	default:
		s.Budgets.Forbidding = p.by
		s.Refuses(p.by, true)
		s.Found(p.by.Ref, decision.Ruled(rules.BudgetForbids, p.by.Facts(p.by.Left())...))
		s.Outcome.ScaleFails(fmt.Errorf("PodUnavailableBudget %s does not allow a Pod to be deleted", p.by.Name))
		s.Chance.Fail(p.loose)
	}
	s.Chance.UpdateInstead(p.loose && p.by.Left() == 0)
}
