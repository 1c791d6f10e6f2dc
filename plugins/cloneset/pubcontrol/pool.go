package pubcontrol

import (
	"slices"
)

// Pool is what the pods that share places ask of budgets.
type Pool struct {
	Size, Unasked int
	Of            []Share
}

// Share is how many Pods of a Pool ask one budget.
type Share struct {
	*Budget
	Asked int
}

// Add adds a Pod that asks the budget, nil for none.
func (p *Pool) Add(b *Budget) {
	p.Size++
	if b == nil {
		p.Unasked++
		return
	}
	i := slices.IndexFunc(p.Of, func(sh Share) bool { return sh.Budget == b })
	if i < 0 {
		i, p.Of = len(p.Of), append(p.Of, Share{Budget: b})
	}
	p.Of[i].Asked++
}

// Alike reports whether all pods of the pool ask the same budget, or none.
func (p *Pool) Alike() bool { return p.Unasked == p.Size || p.Unasked == 0 && len(p.Of) == 1 }

// Short returns a budget that can't let n of the pool's pods through.
func (p *Pool) Short(n int, left Remaining) *Budget {
	for _, sh := range p.Of {
		if min(sh.Asked, n) > left.Of(sh.Budget) {
			return sh.Budget
		}
	}
	return nil
}

// Remaining is what is left of each budget.
type Remaining map[*Budget]int

// Of returns what is left of a budget.
//
//go:noinline // it is called at many places
func (p Remaining) Of(b *Budget) int {
	if _, seen := p[b]; !seen {
		p[b] = b.Left()
	}
	return p[b]
}
