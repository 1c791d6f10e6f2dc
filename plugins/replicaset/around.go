package replicaset

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// around are the pods around a cut that no step before the ages tells apart. All
// others stay on their side of the cut, whatever the ages.
type around struct {
	behaviour behaviour
	steps     []ranking.Criterion[traits]
	pods      []traits // in their order
	cut       int
	fates     []decision.Fate
	older     []traits
}

func (t *target) around(cut int, items []traits, order ranking.Order) *around {
	a := &around{behaviour: t.behaviour, steps: comparatorOf(t.behaviour, t.now).steps}
	first, end := a.bounds(cut, items, order)
	a.cut = cut - first
	if len(items) > a.behaviour.insertion && end-first < len(items) {
		a.behaviour.insertion = 0 // few pods of a list that is sorted otherwise
	}
	all := fates(order, cut, len(items))
	a.pods, a.fates = make([]traits, 0, end-first), make([]decision.Fate, 0, end-first)
	for _, i := range order.Items[first:end] {
		a.pods, a.fates = append(a.pods, items[i]), append(a.fates, all[i])
	}
	return a
}

// bounds are where the pods stand in the order; none where a step before the ages
// tells the pods at the cut apart.
func (a *around) bounds(cut int, items []traits, order ranking.Order) (first, end int) {
	if cut <= 0 || cut >= len(items) {
		return cut, cut
	}
	fixed := a.steps[:slices.IndexFunc(a.steps, func(c ranking.Criterion[traits]) bool { return c.Exact != nil })]
	same := func(i int) bool {
		return ranking.Compare(fixed, &items[order.Items[i]], &items[order.Items[cut]]).Sign == 0
	}
	for first = cut; first > 0 && same(first-1); first-- {
	}
	if first == cut {
		return cut, cut
	}
	for end = cut; end < len(items) && same(end); end++ {
	}
	return first, end
}

// turns reports whether the fates are others at a later time.
func (a *around) turns(later time.Time) bool {
	a.older = append(a.older[:0], a.pods...)
	grow(a.older, later)
	then, _ := a.behaviour.cut(a.older, a.steps, ranking.Sort(a.older, a.steps), a.cut)
	return !slices.Equal(a.fates, fates(then, a.cut, len(a.pods)))
}
