package update

import (
	"cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
)

// spending is how far budgets let the chosen updates go. The loop over them
// ends with the first pod that is refused (sync/cloneset_update.go, v1.9.1).
type spending struct {
	asks map[*core.PodState]pubcontrol.Ask
	// left is what a pod's budget has left when its turn comes, for pods of
	// which that does not depend on ties.
	left map[*core.PodState]int
	// by is the budget that refuses, nil for none; sure tells that it does
	// whatever the order of ties.
	by   *pubcontrol.Budget
	sure bool
	// chosen is how many pods would be updated without any budget.
	chosen int
	// takers are how many pods take from each budget, of which chance may pick some.
	takers map[*pubcontrol.Budget]int
}

// spend asks the budgets, and takes from the chosen pods those that these stop.
func (s *updating) spend(r *rollout) {
	r.spending = spending{chosen: r.high}
	if !s.Behaviour.Budgets {
		return
	}
	sp := &r.spending
	sp.asks, sp.left, sp.takers = map[*core.PodState]pubcontrol.Ask{}, map[*core.PodState]int{}, map[*pubcontrol.Budget]int{}
	for _, m := range r.waiting.Places {
		sp.asks[m] = s.Budgets.Asks(m, pubcontrol.OnUpdate)
	}
	least, strict := sp.fewest(r)
	most, lenient := sp.most(r)
	sp.by, sp.sure = cmp.Or(lenient, strict), lenient != nil && most < r.low
	s.Budgets.MayRefuse = sp.by != nil && !sp.sure
	if sp.by != nil {
		s.Budgets.Refusing = sp.by.Name
	}
	r.low, r.high = min(r.low, least), min(r.high, most)
}

// pools are what the pods of each class ask.
func (sp *spending) pools(r *rollout, unsureAsk bool) map[int]*pubcontrol.Pool {
	pools := map[int]*pubcontrol.Pool{}
	for _, m := range r.waiting.Places {
		c := m.Class
		if pools[c] == nil {
			pools[c] = &pubcontrol.Pool{}
		}
		a := sp.asks[m]
		if a.Unsure && !unsureAsk {
			a.Of = nil
		}
		pools[c].Add(a.Of)
	}
	return pools
}

// fewest is how many of the chosen get past their budgets at least, and the
// one that stops them: of those that tie, each that asks comes first.
func (sp *spending) fewest(r *rollout) (n int, by *pubcontrol.Budget) {
	pools, done, left := sp.pools(r, true), map[int]int{}, pubcontrol.Remaining{}
	certain := true
	for i, m := range r.waiting.Places[:r.high] {
		c := m.Class
		p := pools[c]
		certain = certain && p.Alike() && !sp.asks[m].Unsure
		if certain && p.Size == 1 && len(p.Of) == 1 {
			sp.left[m] = left.Of(p.Of[0].Budget)
		}
		for _, sh := range p.Of {
			if done[c] >= sh.Asked {
				continue
			}
			if left.Of(sh.Budget) == 0 {
				return i, sh.Budget
			}
			left[sh.Budget]--
		}
		done[c]++
	}
	return r.high, nil
}

// most is how many of the chosen get past at most: of those that tie, the ones
// come first that are let through. A budget that is not known lets all through.
func (sp *spending) most(r *rollout) (n int, by *pubcontrol.Budget) {
	pools, done, left := sp.pools(r, false), map[int]int{}, pubcontrol.Remaining{}
	for i, m := range r.waiting.Places[:r.high] {
		c := m.Class
		p := pools[c]
		passing, short := p.Unasked, (*pubcontrol.Budget)(nil)
		for _, sh := range p.Of {
			through := sh.Asked
			switch {
			case sh.Unread:
			case p.Alike(): // what it has taken so far is gone from what remains
				through = min(sh.Asked, done[c]+left.Of(sh.Budget))
			default:
				through = min(sh.Asked, left.Of(sh.Budget))
			}
			if passing += through; through < sh.Asked {
				short = sh.Budget
			}
		}
		if done[c] >= passing {
			return i, short
		}
		done[c]++
		for _, sh := range p.Of { // which of a mixed pool have asked is known when all have
			switch {
			case p.Alike():
				left[sh.Budget] = left.Of(sh.Budget) - 1
			case done[c] == p.Size:
				left[sh.Budget] = left.Of(sh.Budget) - sh.Asked
			}
		}
	}
	return r.high, nil
}

// chargeUpdate charges an update to the budget that lets it through.
func (s *updating) chargeUpdate(r *rollout, m *core.PodState) int {
	b := r.spending.asks[m].Of
	if b == nil || b.Unread {
		return 0
	}
	r.spending.takers[b]++
	return s.Log.Add(s.Budgets.ChargeUpdate(m.Ref.Name, b))
}

// chargeWith lets a charge hang on the update that it is for, where chance decides on
// that. One that may be refused is not on the path that is followed.
func (s *updating) chargeWith(charge int, u *decision.Update) {
	switch {
	case charge == 0 || u.Choice == nil:
	case u.State == decision.Refused:
		*s.Log = (*s.Log)[:charge-1]
	default:
		(*s.Log)[charge-1].With = s.Decision.Actions[len(s.Decision.Actions)-1].Write
	}
}
