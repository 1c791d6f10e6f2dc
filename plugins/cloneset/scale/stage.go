package scale

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// stage is one group of pods that a scale-in chooses from.
type stage struct {
	among    string
	items    []order.Traits
	cut      int
	criteria []order.Criterion
	ranker   *order.Ranker
	order    ranking.Order
	// least and most are how many of them are deleted, over the orders of ties.
	least, most int
}

// tieOrders permute n pods: what ties comes out in these orders. Two that are
// each other's reverse show whether ties matter; the others catch what a
// reversal leaves in place.
var tieOrders = []func(n int) []int{
	func(n int) []int { return stride(n, 1, 0) },
	func(n int) []int { return reversed(stride(n, 1, 0)) },
	func(n int) []int { return stride(n, 1, n/2) },
	func(n int) []int { return append(stride((n+1)/2, 2, 0), odd(n)...) },
}

// stride is start, start+step, … of n numbers, around the end.
func stride(n, step, start int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = start + i*step
		if step == 1 && n > 0 {
			out[i] %= n
		}
	}
	return out
}

func odd(n int) []int {
	var out []int
	for i := 1; i < n; i += 2 {
		out = append(out, i)
	}
	return out
}

func reversed(in []int) []int {
	for i, j := 0, len(in)-1; i < j; i, j = i+1, j-1 {
		in[i], in[j] = in[j], in[i]
	}
	return in
}

// newStage prepares the choice of cut pods. When all or none of them go,
// upstream does not sort, and no ranking is claimed.
func (s *scaling) newStage(pods []*core.PodState, cut int, among string) *stage {
	sorter := s.Sorter()
	st := &stage{among: among, cut: min(cut, len(pods))}
	for _, m := range pods {
		st.items = append(st.items, sorter.TraitsOf(m))
	}
	if st.cut == 0 || st.cut == len(pods) {
		return st
	}
	rule, column := rules.CrowdedNodeFirst, "ON NODE"
	if sorter.Spreads() {
		rule, column = rules.CrowdedTopologyFirst, "SPREAD"
	}
	st.criteria = sorter.DeletionCriteria(rule, column)
	st.ranker = sorter.NewRanker(st.items)
	return st
}

// arrange orders the pods, with ranks that come from this order of ties.
func (st *stage) arrange(ties func(int) []int) {
	if st.ranker == nil {
		st.order = ranking.Order{Items: stride(len(st.items), 1, 0), Ends: []int{len(st.items)}}
		return
	}
	st.ranker.Rank(ties(len(st.items)))
	st.order = ranking.Sort(st.items, order.Plain(st.criteria))
}

// taken is a block with the number of its pods that are chosen.
type taken struct {
	items []int
	take  int
}

func (st *stage) blocks() []taken {
	var out []taken
	for _, b := range st.order.Blocks() {
		if b.Len() > 0 {
			out = append(out, taken{st.order.Items[b.Start:b.End], min(max(st.cut-b.Start, 0), b.Len())})
		}
	}
	return out
}

// shareFates gives pods that may swap places one fate: those that tie in all
// but the rank, in one topology, and are equally ready.
func (st *stage) shareFates(fates map[*core.PodState]fate) {
	if st.ranker == nil || !st.ranker.Tied() {
		return
	}
	shared := map[string]fate{}
	for i := range st.items {
		k := st.ranker.TwinKey(i, st.criteria)
		f, seen := shared[k]
		mine := fates[st.items[i].PodState]
		if seen {
			mine = fate{f.always && mine.always, f.sometimes || mine.sometimes}
		}
		shared[k] = mine
	}
	for i := range st.items {
		fates[st.items[i].PodState] = shared[st.ranker.TwinKey(i, st.criteria)]
	}
}
