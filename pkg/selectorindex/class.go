package selectorindex

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// asked is what selectors ask of one key: whether it is there, and the values
// that they name. exact means that every value may matter.
type asked struct {
	values map[string]bool
	exact  bool
}

// ask notes what the terms of a selector ask for.
func (x *Index) ask(sel labels.Selector) {
	for _, term := range termsOf(sel) {
		a := x.asked[term.Key()]
		if a == nil {
			a = &asked{values: map[string]bool{}}
			x.asked[term.Key()] = a
		}
		for _, v := range term.ValuesUnsorted() {
			a.values[v] = true
		}
		a.exact = a.exact || term.Operator() == selection.GreaterThan || term.Operator() == selection.LessThan
	}
}

// Class is the part of labels that the selectors ask about. Labels of the same
// class match the same selectors.
func (x *Index) Class(set labels.Set) string {
	keys := make([]string, 0, 8)
	for key := range set {
		if x.asked[key] != nil {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	class := make([]byte, 0, 64)
	for _, key := range keys {
		a := x.asked[key]
		class = strconv.AppendQuote(class, key)
		if value := set[key]; a.exact || a.values[value] {
			class = strconv.AppendQuote(append(class, '='), value)
		}
	}
	return string(class)
}
