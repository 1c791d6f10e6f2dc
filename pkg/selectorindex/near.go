package selectorindex

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"
)

// tooMany is how many selectors may want a label before sharing it says
// nothing about where an object belongs.
const tooMany = 8

// Near lists the selectors that all but one term match, in their order. Labels
// that many selectors want lead to none.
func (x *Index) Near(set labels.Set) []int {
	var found []int
	for key, value := range set {
		candidates := x.wants[pair{key, value}]
		if len(candidates) > tooMany {
			continue
		}
		for _, i := range candidates {
			if len(Missed(x.selectors[i], set)) == 1 && !slices.Contains(found, i) {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found)
	return found
}

// Missed lists the terms of sel that set fails.
func Missed(sel labels.Selector, set labels.Set) []labels.Requirement {
	var missed []labels.Requirement
	for _, term := range termsOf(sel) {
		if !term.Matches(set) {
			missed = append(missed, term)
		}
	}
	return missed
}
