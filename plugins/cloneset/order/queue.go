package order

import (
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Queue is the order in which pods are updated. Pods of one class tie: they
// share the class's places by chance. Classes count from 0, and there are no
// more of them than places.
type Queue struct {
	Places []*core.PodState
	// Loose: scattering mixes what ties, so that all Pods of one step of preparation are
	// one class.
	Loose bool
}

// Queue mirrors SortUpdateIndexes: the default order, then priorities, then
// scattering among all Pods, then those in PreparingUpdate to the front.
func (s Sorter) Queue(waiting, all []*core.PodState) Queue {
	q := s.defaultOrder(waiting)
	if p := s.set.Spec.UpdateStrategy.PriorityStrategy; p != nil {
		q = s.prioritize(q, p)
	}
	if terms := s.set.Spec.UpdateStrategy.ScatterStrategy; len(terms) > 0 {
		q.splitByTerms(terms)
		q.Places = scatter(terms, all, q.Places)
	}
	slices.SortStableFunc(q.Places, func(a, b *core.PodState) int {
		return ranking.First(a.State == kruise.PreparingUpdate).Compare(ranking.First(b.State == kruise.PreparingUpdate))
	})
	if q.Loose {
		for _, m := range q.Places {
			m.Class = 0
		}
	}
	splitBy(&q, func(m *core.PodState) bool { return m.State == kruise.PreparingUpdate })
	return q
}

// Unsorted is the queue of Pods whose order does not matter.
func Unsorted(waiting []*core.PodState) Queue {
	for _, m := range waiting {
		m.Class = 0
	}
	return Queue{Places: waiting}
}

// defaultOrder is the deletion order of ReplicaSets, in a sort that is not
// stable: ties are chance.
func (s Sorter) defaultOrder(waiting []*core.PodState) Queue {
	items := make([]Traits, len(waiting))
	for i, m := range waiting {
		items[i] = s.TraitsOf(m)
	}
	o := ranking.Sort(items, Plain(s.updateCriteria()))
	q := Queue{Places: make([]*core.PodState, 0, len(waiting))}
	for n, b := range o.Blocks() {
		for _, i := range o.Items[b.Start:b.End] {
			q.Places = append(q.Places, waiting[i])
			waiting[i].Class = n
		}
	}
	return q
}

// prioritize mirrors prioritySort (pkg/util/updatesort/priority_sort.go,
// v1.9.1). From 1.9 on the sort keeps the order of pods of one priority;
// before, its comparison was none, and they come in any order.
func (s Sorter) prioritize(q Queue, p *api.PriorityStrategy) Queue {
	if len(p.WeightPriority)+len(p.OrderPriority) == 0 {
		return q
	}
	priority := map[*core.PodState][2]int64{}
	for _, m := range q.Places {
		priority[m] = priorityOf(p, m.Pod.Labels)
	}
	compare := func(a, b *core.PodState) int {
		x, y := priority[a], priority[b]
		return slices.Compare(x[:], y[:])
	}
	slices.SortStableFunc(q.Places, compare)
	if s.stablePriority {
		splitBy(&q, func(m *core.PodState) [2]int64 { return priority[m] })
		return q
	}
	for i, m := range q.Places {
		if i > 0 && compare(q.Places[i-1], m) == 0 {
			m.Class = q.Places[i-1].Class
		} else {
			m.Class = i
		}
	}
	return q
}

// priorityOf is the priority of a pod with these labels; lower numbers are updated first. Pods with none of
// the ordered keys come before all others.
func priorityOf(p *api.PriorityStrategy, l map[string]string) [2]int64 {
	if len(p.WeightPriority) > 0 {
		var weight int64
		for _, w := range p.WeightPriority {
			sel, err := metav1.LabelSelectorAsSelector(&w.MatchSelector)
			if err == nil && sel.Matches(labels.Set(l)) {
				weight += int64(w.Weight)
			}
		}
		return [2]int64{-weight, 0}
	}
	for i, o := range p.OrderPriority {
		if value, ok := l[o.OrderedKey]; ok {
			return [2]int64{int64(i), -trailingNumber(value)}
		}
	}
	return [2]int64{-1, 0}
}

// trailingNumber mirrors getIntFromStringSuffix.
func trailingNumber(v string) int64 {
	start := len(v)
	for start > 0 && v[start-1] >= '0' && v[start-1] <= '9' {
		start--
	}
	n, err := strconv.ParseInt(v[start:], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// splitBy splits classes whose members a later step tells apart. Classes keep
// members that it treats alike: those still share their places.
func splitBy[K comparable](q *Queue, key func(*core.PodState) K) {
	type part struct {
		class int
		key   K
	}
	parts := map[part]int{}
	for _, m := range q.Places {
		p := part{m.Class, key(m)}
		if _, ok := parts[p]; !ok {
			parts[p] = len(parts)
		}
		m.Class = parts[p]
	}
}

// Span are the first and the last place that a class may take.
type Span struct{ First, Last int }

// Spans returns those of the classes.
func (q *Queue) Spans() []Span {
	last := len(q.Places) - 1
	out := slices.Repeat([]Span{{First: last}}, len(q.Places))
	for i, m := range q.Places {
		sp := &out[m.Class]
		sp.First, sp.Last = min(sp.First, i), i
	}
	return out
}

// Shared reports whether the Pod ties with others: it may come before them.
func (q *Queue) Shared(m *core.PodState) bool {
	sp := q.Spans()[m.Class]
	return sp.First != sp.Last
}

// Availability lists the places' availability, with available pods of one
// class at its first places, or at its last.
func (q *Queue) Availability(first bool) []bool {
	count := make([]int, len(q.Places)) // available pods of a class
	size := make([]int, len(q.Places))
	for _, m := range q.Places {
		size[m.Class]++
		if m.Available {
			count[m.Class]++
		}
	}
	out := make([]bool, len(q.Places))
	seen := make([]int, len(q.Places))
	for i, m := range q.Places {
		c := m.Class
		if first {
			out[i] = seen[c] < count[c]
		} else {
			out[i] = seen[c] >= size[c]-count[c]
		}
		seen[c]++
	}
	return out
}

// Certainty reports whether the pod is updated in every order, in some or in
// none, when between low and high places are updated.
func (q *Queue) Certainty(sp Span, low, high int) (always, sometimes bool) {
	return sp.Last < low, sp.First < high
}
