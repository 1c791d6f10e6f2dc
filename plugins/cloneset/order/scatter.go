package order

import (
	"math"
	"sort"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
)

// splitByTerms: pods of one class that differ in what scattering looks at, or
// in what moves them to the front after it, may trade places with others of
// the queue, too, so that nothing of the order is certain any more.
func (q *Queue) splitByTerms(terms []api.ScatterTerm) {
	key := func(m *core.PodState) string {
		var b strings.Builder
		b.WriteString(m.State)
		for _, t := range terms {
			if matches(t, m) {
				b.WriteByte('1')
			} else {
				b.WriteByte('0')
			}
		}
		return b.String()
	}
	first := map[int]string{}
	for _, m := range q.Places {
		k := key(m)
		if have, ok := first[m.Class]; ok && have != k {
			q.Loose = true
		}
		first[m.Class] = k
	}
}

func matches(t api.ScatterTerm, m *core.PodState) bool {
	v, ok := m.Pod.Labels[t.Key]
	return v == t.Value && (ok || t.Value == "")
}

// scatter mirrors scatterSort (pkg/util/updatesort/scatter_sort.go, v1.9.1):
// pods that match a term are spread among those that do not.
func scatter(terms []api.ScatterTerm, all, queue []*core.PodState) []*core.PodState {
	if len(queue) <= 1 {
		return queue
	}
	for _, t := range frequent(terms, queue) {
		queue = scatterBy(t, all, queue)
	}
	return queue
}

// frequent are the terms that match anything, the most frequent first; a term
// that is the only one counts whatever it matches.
func frequent(terms []api.ScatterTerm, queue []*core.PodState) []api.ScatterTerm {
	if len(terms) == 1 {
		return terms
	}
	count := map[api.ScatterTerm]int{}
	var matching []api.ScatterTerm
	for _, t := range terms {
		for _, m := range queue {
			if v, ok := m.Pod.Labels[t.Key]; ok && v == t.Value {
				if count[t] == 0 {
					matching = append(matching, t)
				}
				count[t]++
			}
		}
	}
	sort.SliceStable(matching, func(i, j int) bool { return count[matching[i]] > count[matching[j]] })
	return matching
}

func scatterBy(t api.ScatterTerm, all, queue []*core.PodState) []*core.PodState {
	matched, unmatched := partition(t, queue)
	if len(matched) <= 1 || len(unmatched) <= 1 {
		return queue
	}
	allMatched, allUnmatched := partition(t, all)
	last := matched[len(matched)-1]
	matched = matched[:len(matched)-1]
	g := density(len(allMatched)-1, len(allUnmatched), len(matched), len(unmatched))
	out := append(make([]*core.PodState, 0, len(queue)), unmatched[:g.remainder]...)
	unmatched = unmatched[g.remainder:]
	for range g.number {
		matched, out = migrate(matched, out, g.matched)
		unmatched, out = migrate(unmatched, out, g.unmatched)
	}
	out = append(append(out, matched...), unmatched...)
	return append(out, last)
}

func partition(t api.ScatterTerm, pods []*core.PodState) (matched, unmatched []*core.PodState) {
	for _, m := range pods {
		if m.Pod.Labels[t.Key] == t.Value {
			matched = append(matched, m)
		} else {
			unmatched = append(unmatched, m)
		}
	}
	return matched, unmatched
}

func migrate(from, to []*core.PodState, size int) (rest, grown []*core.PodState) {
	size = min(size, len(from))
	return from[size:], append(to, from[:size]...)
}

// scatterGroup is how many pods of either sort alternate, and how often.
type scatterGroup struct{ number, matched, unmatched, remainder int }

func newScatterGroup(matched, unmatched int) scatterGroup {
	n := min(matched, unmatched)
	size := func(of int) int { return int(math.Round(float64(of) / float64(n))) }
	return scatterGroup{number: n, matched: size(matched), unmatched: size(unmatched)}
}

// density mirrors calculateGroupByDensity.
func density(totalMatched, totalUnmatched, matched, unmatched int) scatterGroup {
	if float32(totalUnmatched)/float32(totalMatched) >= float32(unmatched)/float32(matched) {
		return newScatterGroup(matched, unmatched)
	}
	g := newScatterGroup(totalMatched, totalUnmatched)
	g.number = min(matched/g.matched, unmatched/g.unmatched)
	g.remainder = unmatched - g.number*g.unmatched
	return g
}
