package selectorindex

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// Index finds the selectors that match labels.
type Index struct {
	selectors []labels.Selector
	// byPair and byKey hold each selector under one of its terms, so that
	// labels lacking that term never meet it; rest are those without one.
	byPair map[pair][]int
	byKey  map[string][]int
	rest   []int
	// wants holds each selector under every label that its terms want.
	wants map[pair][]int
	// asked is what the selectors ask of each key.
	asked map[string]*asked
}

type pair struct{ key, value string }

// NewIndex indexes selectors; they are known by their place from then on.
func NewIndex(selectors []labels.Selector) *Index {
	x := &Index{selectors: selectors, byPair: make(map[pair][]int, len(selectors)), byKey: map[string][]int{}, wants: make(map[pair][]int, len(selectors)), asked: map[string]*asked{}}
	for i, sel := range selectors {
		x.ask(sel)
		for _, p := range wanted(sel) {
			x.wants[p] = append(x.wants[p], i)
		}
	}
	for i, sel := range selectors {
		x.add(i, sel)
	}
	return x
}

// wanted lists the labels of which a selector's terms want one each.
func wanted(sel labels.Selector) []pair {
	var all []pair
	for _, term := range termsOf(sel) {
		all = append(all, pairsOf(term)...)
	}
	return all
}

func termsOf(sel labels.Selector) labels.Requirements {
	terms, _ := sel.Requirements()
	return terms
}

// pairsOf lists the labels that satisfy a term which names its values.
func pairsOf(term labels.Requirement) []pair {
	switch term.Operator() {
	case selection.In, selection.Equals, selection.DoubleEquals:
	default:
		return nil
	}
	var all []pair
	for _, v := range term.ValuesUnsorted() {
		all = append(all, pair{term.Key(), v})
	}
	return all
}

// add puts a selector under its rarest term. A selector that matches nothing
// is put nowhere.
func (x *Index) add(i int, sel labels.Selector) {
	terms, selectable := sel.Requirements()
	if !selectable {
		return
	}
	if best := x.rarest(terms); best != nil {
		for _, p := range best {
			x.byPair[p] = append(x.byPair[p], i)
		}
		return
	}
	for _, term := range terms {
		if term.Operator() == selection.Exists {
			x.byKey[term.Key()] = append(x.byKey[term.Key()], i)
			return
		}
	}
	x.rest = append(x.rest, i)
}

// rarest is the labels of the term that the fewest selectors share.
func (x *Index) rarest(terms labels.Requirements) []pair {
	var best []pair
	least := 0
	for _, term := range terms {
		pairs := pairsOf(term)
		if n := x.shared(pairs); len(pairs) > 0 && (best == nil || n < least) {
			best, least = pairs, n
		}
	}
	return best
}

func (x *Index) shared(pairs []pair) int {
	n := 0
	for _, p := range pairs {
		n += len(x.wants[p])
	}
	return n
}

// AppendMatching appends to found, which is empty, the selectors that match, in their
// order.
func (x *Index) AppendMatching(found []int, set labels.Set) []int {
	try := func(candidates []int) {
		for _, i := range candidates {
			if x.selectors[i].Matches(set) {
				found = append(found, i)
			}
		}
	}
	for key, value := range set {
		try(x.byPair[pair{key, value}])
		try(x.byKey[key])
	}
	try(x.rest)
	slices.Sort(found)
	return found
}
