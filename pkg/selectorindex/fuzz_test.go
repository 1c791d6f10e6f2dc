package selectorindex

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
)

// FuzzSelectors reads two selectors and some labels as users and objects have
// them. What Witness finds both must match, and Index must find what matches.
func FuzzSelectors(f *testing.F) {
	for _, s := range [][3]string{
		{"app=web", "app in (web,db),tier", "app=web,tier=front"},
		{"app!=web", "!app", "app="},
		{"app notin (a,b,any0)", "app", "app=any0"},
		{"n>1", "n<3", "n=2"},
		{"", "app==web,app!=web", "app=web,app=db"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, one, two, set string) {
		a, err := labels.Parse(one)
		if err != nil {
			return
		}
		b, err := labels.Parse(two)
		if err != nil {
			return
		}
		pods := []labels.Set{{}}
		if parsed, err := labels.ConvertSelectorToLabelsMap(set); err == nil {
			pods = append(pods, parsed)
		}
		both, meet := Witness(a, b)
		if meet {
			pods = append(pods, both)
		}
		if meet && !compares(a) && !compares(b) && (!a.Matches(both) || !b.Matches(both)) {
			t.Errorf("%s and %s do not both match %s", a, b, both)
		}
		selectors := []labels.Selector{a, b}
		index := NewIndex(selectors)
		inClass := map[string][]int{}
		for _, pod := range pods {
			var want []int
			for i, sel := range selectors {
				if sel.Matches(pod) {
					want = append(want, i)
				}
			}
			if got := index.AppendMatching(nil, pod); !slices.Equal(got, want) {
				t.Errorf("%s and %s on %s: matching are %v, want %v", a, b, pod, got, want)
			}
			class := index.Class(pod)
			if other, known := inClass[class]; known && !slices.Equal(other, want) {
				t.Errorf("%s and %s: class %s of %s holds labels that match %v and %v", a, b, class, pod, other, want)
			}
			inClass[class] = want
			if !meet && len(want) == 2 && !compares(a) && !compares(b) {
				t.Errorf("%s and %s never meet, but both match %s", a, b, pod)
			}
		}
	})
}

// compares tells a selector with > or <, which no controller's can have.
func compares(sel labels.Selector) bool {
	for _, term := range termsOf(sel) {
		if op := term.Operator(); op == "gt" || op == "lt" {
			return true
		}
	}
	return false
}
