package replicaset

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostBeside bounds the Pods that are compared pair by pair. Of more, nothing is
// certain.
const mostBeside = 2000

// beside is what is not known of siblings: their controller's workers sync them at
// the same time, so that this sync may come before their deletions, after them, or in
// between; and a set that the input lacks may be one.
type beside struct {
	// siblings are those that delete Pods, absent those that the input lacks.
	siblings []string
	absent   []ownership.Absent
	// coming are how many related Pods of a node siblings may delete first, gone how many
	// they deleted in this instant, or how many there are of absent ones.
	coming, gone map[string]int
}

// doubtSiblings takes back what is certain only if this sync comes before those of
// siblings that delete Pods, or only if it comes after them: deleted Pods are no
// longer related ones. So it does with what depends on sets that the input lacks.
func (s *sync) doubtSiblings(items []traits, by comparator, out *decision.Ranking) {
	if !s.hasSiblings() {
		return
	}
	peers := slices.IndexFunc(by.criteria, func(c criterion) bool { return c.ID == CoLocatedFirst })
	b := s.beside(by.steps[:peers])
	if len(b.siblings)+len(b.absent) == 0 {
		return
	}
	now := b.fates(items, by.steps, peers, out.Cut)
	fates, changed := map[decision.Ref]decision.Fate{}, false
	for i := range out.Rows {
		fates[out.Rows[i].Object] = out.Rows[i].Fate
	}
	for i, p := range now {
		ref := items[p.item].ref
		switch was := fates[ref]; {
		case was == decision.AtRisk && len(b.absent) > 0 && p.least < p.most:
			changed = true
		case was != decision.AtRisk && was != now[i].fate:
			fates[ref], changed = decision.AtRisk, true
		}
	}
	switch {
	case !changed:
		return
	case len(b.absent) > 0:
		takeBack(out, fates, SiblingUnread, s.lacking(b.absent))
	default:
		takeBack(out, fates, SiblingDeletes, decision.F(keySiblings, format.Some(b.siblings, len(b.siblings))))
	}
	out.HoldsUntil = earliest(out.HoldsUntil, s.holds(items, func(older []traits) bool {
		return slices.EqualFunc(now, b.fates(older, by.steps, peers, out.Cut), func(a, b placed) bool { return a.fate == b.fate })
	}))
}

// takeBack makes possible what is not certain, and says why.
func takeBack(out *decision.Ranking, fates map[decision.Ref]decision.Fate, rule string, who decision.Fact) {
	k, n := out.Cut, 0
	for i := range out.Rows {
		row := &out.Rows[i]
		row.Fate = fates[row.Object]
		switch row.Fate {
		case decision.Doomed:
			k--
		case decision.AtRisk:
			n++
		}
	}
	out.Undetermined = new(decision.Ruled(rule, decision.F(decision.KeyK, k), decision.F(decision.KeyN, n), who))
}

// holds finds until when something stays as it is while items grow older, nil for
// longer than the horizon. Of many it is the first moment at which it may not.
func (t *target) holds(items []traits, same func(older []traits) bool) *time.Time {
	if !t.behaviour.buckets {
		return nil
	}
	starts, tries := startsOf(items), work/len(items)
	for i, edge := range starts.bucketEnds(t.now) {
		older := slices.Clone(items)
		if grow(older, edge); i+1 >= tries || !starts.sameOrder(edge) && !same(older) {
			return new(latest(t.now, edge.Truncate(time.Millisecond)).UTC())
		}
	}
	return nil
}

// beside looks at the siblings' Pods. steps are those before related Pods are compared.
func (s *sync) beside(steps []ranking.Criterion[traits]) beside {
	b := beside{coming: map[string]int{}, gone: map[string]int{}}
	if !s.given.Alone {
		for _, sibling := range s.siblings() {
			set := newSet(s.set.kind, sibling)
			if set.UID != s.set.UID && set.DeletionTimestamp == nil && set.invalid == nil {
				s.sibling(set, steps, &b)
			}
		}
	}
	b.absent = ownership.AbsentControllers(s.r, s.set.kind, view.Pods, s.set.Namespace)
	for _, pod := range s.podsOf(b.absent) {
		if isActive(pod) {
			b.gone[pod.Spec.NodeName]++
		}
	}
	return b
}

// sibling adds one. Orphans that it adopts it may delete as well.
func (t *target) sibling(set *set, steps []ranking.Criterion[traits], b *beside) {
	var active []traits
	gone := 0
	for _, pod := range view.List[*corev1.Pod](t.r, t.podsNeed(), set.selector) {
		switch ref := metav1.GetControllerOfNoCopy(pod); {
		case ref != nil && ref.UID != set.UID:
		case isActive(pod):
			active = append(active, traitsOf(pod, 0, t.behaviour, t.now))
		case isTerminating(pod) && t.deletedNow(pod):
			b.gone[pod.Spec.NodeName]++
			gone++
		}
	}
	surplus := min(len(active)-set.want(), burstReplicas)
	if surplus > 0 {
		b.comes(active, ranking.Sort(active, steps), surplus)
	}
	if surplus > 0 || gone > 0 {
		b.siblings = append(b.siblings, set.ref.String())
	}
}

// comes counts, by node, which of a sibling's Pods may be among n that it deletes.
func (b *beside) comes(pods []traits, order ranking.Order, n int) {
	for _, block := range order.Blocks() {
		left, on := n-block.Start, map[string]int{}
		for _, i := range order.Items[block.Start:block.End] {
			if node := pods[i].node; on[node] < left {
				on[node]++
				b.coming[node]++
			}
		}
	}
}

// deletedNow reports whether a Pod was deleted in this second.
func (t *target) deletedNow(pod *corev1.Pod) bool {
	if pod.DeletionGracePeriodSeconds == nil {
		return false
	}
	deleted := pod.DeletionTimestamp.Add(-time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second)
	return !deleted.Before(t.now.Truncate(time.Second))
}

// placed is a Pod among those that related Pods are the next to tell apart.
type placed struct {
	item int
	node string
	// least and most bound the related Pods on its node.
	least, most int
	// place is that by the later steps alone, the same for Pods of which the order is
	// not determined.
	place int
	fate  decision.Fate
}

// fates are those of the Pods around a cut that no step before the one of related Pods
// tells apart, however many of these there are. All others stay on their side.
func (b *beside) fates(items []traits, steps []ranking.Criterion[traits], peers, cut int) []placed {
	before := ranking.Sort(items, steps[:peers])
	block, ok := before.Straddling(cut)
	if !ok {
		return nil
	}
	group := before.Items[block.Start:block.End]
	pods := make([]traits, len(group))
	for i, item := range group {
		pods[i] = items[item]
	}
	all := make([]placed, len(group))
	order := ranking.Sort(pods, steps[peers+1:])
	for n, block := range order.Blocks() {
		for _, i := range order.Items[block.Start:block.End] {
			t := &pods[i]
			node := t.node
			all[i] = placed{item: group[i], node: node, least: t.peers - b.coming[node], most: t.peers + b.gone[node], place: n}
		}
	}
	for i := range all {
		all[i].fate = all[i].among(all, cut-block.Start)
	}
	return all
}

// among is what becomes of a Pod of which k among all are deleted.
func (p placed) among(all []placed, k int) decision.Fate {
	if len(all) > mostBeside {
		return decision.AtRisk
	}
	before, notAfter := 0, -1 // itself
	for _, q := range all {
		if !p.mayPrecede(q) {
			before++
		}
		if q.mayPrecede(p) {
			notAfter++
		}
	}
	switch {
	case notAfter < k:
		return decision.Doomed
	case before >= k:
		return decision.Safe
	default:
		return decision.AtRisk
	}
}

// mayPrecede reports whether p may come before q, or beside it.
func (p placed) mayPrecede(q placed) bool {
	if p.node != q.node && p.most != q.least {
		return p.most > q.least
	}
	return p.place <= q.place
}
