package cloneset

import (
	"cmp"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
)

// spending is how far budgets let the chosen updates go. The loop over them
// ends with the first pod that is refused (sync/cloneset_update.go, v1.9.1).
type spending struct {
	asks map[*core.PodState]ask
	// left is what a pod's budget has left when its turn comes, for pods of
	// which that does not depend on ties.
	left map[*core.PodState]int
	// by is the budget that refuses, nil for none; sure tells that it does
	// whatever the order of ties.
	by   *budget
	sure bool
	// chosen is how many pods would be updated without any budget.
	chosen int
	// takers are how many pods take from each budget, of which chance may pick some.
	takers map[*budget]int
}

// spend asks the budgets, and takes from the chosen pods those that these stop.
func (s *sync) spend(r *rollout) {
	r.spending = spending{chosen: r.high}
	if !s.behaviour.Budgets {
		return
	}
	sp := &r.spending
	sp.asks, sp.left, sp.takers = map[*core.PodState]ask{}, map[*core.PodState]int{}, map[*budget]int{}
	for _, m := range r.waiting.Places {
		sp.asks[m] = s.asks(m, onUpdate)
	}
	least, strict := sp.fewest(r)
	most, lenient := sp.most(r)
	sp.by, sp.sure = cmp.Or(lenient, strict), lenient != nil && most < r.low
	s.budgets.mayRefuse = sp.by != nil && !sp.sure
	if sp.by != nil {
		s.budgets.refusing = sp.by.name
	}
	r.low, r.high = min(r.low, least), min(r.high, most)
}

// pool is what the pods that share places ask of budgets.
type pool struct {
	size, unasked int
	of            []share
}

type share struct {
	*budget
	asked int
}

func (p *pool) add(b *budget) {
	p.size++
	if b == nil {
		p.unasked++
		return
	}
	i := slices.IndexFunc(p.of, func(sh share) bool { return sh.budget == b })
	if i < 0 {
		i, p.of = len(p.of), append(p.of, share{budget: b})
	}
	p.of[i].asked++
}

// alike tells that all pods of the pool ask the same budget, or none.
func (p *pool) alike() bool { return p.unasked == p.size || p.unasked == 0 && len(p.of) == 1 }

// pools are what the pods of each class ask; of places whose order is all
// chance, what all of them ask.
func (sp *spending) pools(r *rollout, unsureAsk bool) map[int]*pool {
	pools := map[int]*pool{}
	for _, m := range r.waiting.Places {
		c := r.classOf(m)
		if pools[c] == nil {
			pools[c] = &pool{}
		}
		a := sp.asks[m]
		if a.unsure && !unsureAsk {
			a.of = nil
		}
		pools[c].add(a.of)
	}
	return pools
}

func (r *rollout) classOf(m *core.PodState) int {
	if r.waiting.Loose {
		return 0
	}
	return m.Class
}

// purse is what is left of each budget.
type purse map[*budget]int

func (p purse) of(b *budget) int {
	if _, seen := p[b]; !seen {
		p[b] = b.left()
	}
	return p[b]
}

// fewest is how many of the chosen get past their budgets at least, and the
// one that stops them: of those that tie, each that asks comes first.
func (sp *spending) fewest(r *rollout) (n int, by *budget) {
	pools, done, left := sp.pools(r, true), map[int]int{}, purse{}
	certain := true
	for i, m := range r.waiting.Places[:r.high] {
		c := r.classOf(m)
		p := pools[c]
		certain = certain && p.alike() && !sp.asks[m].unsure
		if certain && p.size == 1 && len(p.of) == 1 {
			sp.left[m] = left.of(p.of[0].budget)
		}
		for _, sh := range p.of {
			if done[c] >= sh.asked {
				continue
			}
			if left.of(sh.budget) == 0 {
				return i, sh.budget
			}
			left[sh.budget]--
		}
		done[c]++
	}
	return r.high, nil
}

// most is how many of the chosen get past at most: of those that tie, the ones
// come first that are let through. A budget that is not known lets all through.
func (sp *spending) most(r *rollout) (n int, by *budget) {
	pools, done, left := sp.pools(r, false), map[int]int{}, purse{}
	for i, m := range r.waiting.Places[:r.high] {
		c := r.classOf(m)
		p := pools[c]
		passing, short := p.unasked, (*budget)(nil)
		for _, sh := range p.of {
			through := sh.asked
			switch {
			case sh.unread:
			case p.alike(): // what it has taken so far is gone from the purse
				through = min(sh.asked, done[c]+left.of(sh.budget))
			default:
				through = min(sh.asked, left.of(sh.budget))
			}
			if passing += through; through < sh.asked {
				short = sh.budget
			}
		}
		if done[c] >= passing {
			return i, short
		}
		done[c]++
		for _, sh := range p.of { // which of a mixed pool have asked is known when all have
			switch {
			case p.alike():
				left[sh.budget] = left.of(sh.budget) - 1
			case done[c] == p.size:
				left[sh.budget] = left.of(sh.budget) - sh.asked
			}
		}
	}
	return r.high, nil
}
