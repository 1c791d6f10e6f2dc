package replicaset

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// rank says which n of the active pods go (getPodsToDelete, replica_set.go,
// v1.37.1), as far as that is determined.
func (s *sync) rank(n int) (*decision.Ranking, ranked) {
	items := s.traits(s.peers())
	by := comparatorOf(s.behaviour, s.now)
	blocks := ranking.Sort(items, by.steps)
	order, exact := s.behaviour.cut(items, by.steps, blocks, n)
	out := &decision.Ranking{Cut: n, HoldsUntil: s.holdsUntil(items, n, order)}
	for _, c := range by.criteria {
		out.Criteria = append(out.Criteria, decision.Criterion{Rule: c.ID, Column: c.column})
	}
	out.Rows = rows(items, by.criteria, order, n)
	if block, ok := order.Straddling(n); ok {
		whole, _ := blocks.Straddling(n)
		out.Undetermined = s.undetermined(items, by, undecided{
			pods: order.Items[block.Start:block.End], k: n - block.Start, exact: exact, among: blocks.Items[whole.Start:whole.End],
		})
	}
	s.compareAcrossCut(items, by, order, out)
	s.doubtSiblings(items, by, out)
	return out, ranked{items, order}
}

// ranked are the Pods of a ranking in the order of its rows.
type ranked struct {
	items []traits
	order ranking.Order
}

func (s *sync) traits(peers map[string]int) []traits {
	items, pods := make([]traits, len(s.claims.active)), make([]shown, len(s.claims.active))
	for i, p := range s.claims.active {
		items[i] = pods[i].traitsOf(p, peers[p.Spec.NodeName], s.behaviour, s.now)
		if s.behaviour.ownedFirst && !metav1.IsControlledBy(p, s.set) {
			items[i].part = 1
		}
	}
	placeUIDs(items)
	return items
}

// cut is what is determined of the order at a cut after n. exact is false where
// pods that are left to chance may not be.
func (b behaviour) cut(items []traits, steps []ranking.Criterion[traits], blocks ranking.Order, n int) (order ranking.Order, exact bool) {
	return ranking.Cut(items, steps, blocks, n, ranking.Input[traits]{
		Part: func(t *traits) int { return t.part }, Insertion: b.insertion,
	})
}

func rows(items []traits, criteria []criterion, order ranking.Order, cut int) []decision.Ranked {
	out := make([]decision.Ranked, 0, len(items))
	texts := make([]string, len(items)*len(criteria))
	for i, b := range order.Blocks() {
		for _, item := range order.Items[b.Start:b.End] {
			t := &items[item]
			out = append(out, decision.Ranked{
				Object: t.ref, Node: t.node, Fate: fate(b, cut), Block: i + 1, Values: values(texts[:len(criteria):len(criteria)], criteria, t),
			})
			texts = texts[len(criteria):]
		}
	}
	return out
}

func fate(b ranking.Block, cut int) decision.Fate {
	switch {
	case b.End <= cut:
		return decision.Doomed
	case b.Start >= cut:
		return decision.Safe
	default:
		return decision.AtRisk
	}
}

// values fills out with what the criteria show of a Pod.
func values(out []string, criteria []criterion, t *traits) []string {
	for i, c := range criteria {
		out[i] = c.show(t)
	}
	return out
}

func oldest(items []traits, block []int) string {
	t := items[block[0]].readySince.at
	for _, i := range block {
		if items[i].readySince.at.Before(t) {
			t = items[i].readySince.at
		}
	}
	return format.Instant(t)
}

func youngest(items []traits, block []int) string {
	t := items[block[0]].readySince.at
	for _, i := range block {
		if items[i].readySince.at.After(t) {
			t = items[i].readySince.at
		}
	}
	return format.Instant(t)
}
