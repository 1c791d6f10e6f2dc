package selectorindex

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// Witness makes the fewest labels that both selectors match. It is false when
// no labels can: the two never meet.
func Witness(a, b labels.Selector) (labels.Set, bool) {
	if matchesNothing(a) || matchesNothing(b) {
		return nil, false
	}
	wants := map[string]*want{}
	for _, sel := range []labels.Selector{a, b} {
		for _, term := range termsOf(sel) {
			wantOf(wants, term.Key()).narrow(term)
		}
	}
	set := labels.Set{}
	for key, w := range wants {
		if !w.fill(set, key) {
			return nil, false
		}
	}
	return set, true
}

// Narrower reports whether a selector has all terms of another, and so matches only what
// that matches. It is false where one matches nothing; and where only values tell, as
// of app=web and app.
func Narrower(sel, than labels.Selector) bool {
	if matchesNothing(sel) || matchesNothing(than) {
		return false
	}
	has := map[string]bool{}
	for _, term := range termsOf(sel) {
		has[term.String()] = true
	}
	return !slices.ContainsFunc(termsOf(than), func(term labels.Requirement) bool { return !has[term.String()] })
}

func matchesNothing(sel labels.Selector) bool {
	_, selectable := sel.Requirements()
	return !selectable
}

// want is what several terms together ask of one key.
type want struct {
	present, absent bool
	// oneOf are the allowed values when anyOf, else all are but those of noneOf.
	anyOf  bool
	oneOf  map[string]bool
	noneOf map[string]bool
}

func wantOf(all map[string]*want, key string) *want {
	if all[key] == nil {
		all[key] = &want{noneOf: map[string]bool{}}
	}
	return all[key]
}

// narrow adds a term. Comparisons by number, which no selector of a controller
// can hold, narrow nothing.
func (w *want) narrow(term labels.Requirement) {
	switch term.Operator() {
	case selection.In, selection.Equals, selection.DoubleEquals:
		w.only(term.ValuesUnsorted())
	case selection.NotIn, selection.NotEquals:
		for _, v := range term.ValuesUnsorted() {
			w.noneOf[v] = true
		}
	case selection.Exists:
		w.present = true
	case selection.DoesNotExist:
		w.absent = true
	}
}

func (w *want) only(values []string) {
	kept := map[string]bool{}
	for _, v := range values {
		if !w.anyOf || w.oneOf[v] {
			kept[v] = true
		}
	}
	w.anyOf, w.oneOf = true, kept
}

// fill puts a value for the key into set, if one is needed; false when the
// terms contradict each other.
func (w *want) fill(set labels.Set, key string) bool {
	switch {
	case w.absent:
		return !w.present && !w.anyOf
	case w.anyOf:
		for _, v := range slices.Sorted(maps.Keys(w.oneOf)) {
			if !w.noneOf[v] {
				set[key] = v
				return true
			}
		}
		return false
	case w.present:
		set[key] = w.fresh()
	}
	return true
}

// fresh is a value that no term excludes.
func (w *want) fresh() string {
	for n := 0; ; n++ {
		if v := fmt.Sprintf("any%d", n); !w.noneOf[v] {
			return v
		}
	}
}
