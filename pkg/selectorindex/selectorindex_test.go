package selectorindex

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"
)

var (
	someKeys   = []string{"app", "tier", "rel"}
	someValues = []string{"a", "b", ""}
	operators  = []metav1.LabelSelectorOperator{metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist}
)

// drawSelector makes a selector over a small universe, as the API allows it.
func drawSelector(t *rapid.T) labels.Selector {
	ls := &metav1.LabelSelector{MatchLabels: map[string]string{}}
	for range rapid.IntRange(0, 2).Draw(t, "labels") {
		ls.MatchLabels[rapid.SampledFrom(someKeys).Draw(t, "key")] = rapid.SampledFrom(someValues).Draw(t, "value")
	}
	for range rapid.IntRange(0, 3).Draw(t, "terms") {
		term := metav1.LabelSelectorRequirement{Key: rapid.SampledFrom(someKeys).Draw(t, "key"), Operator: rapid.SampledFrom(operators).Draw(t, "operator")}
		if term.Operator == metav1.LabelSelectorOpIn || term.Operator == metav1.LabelSelectorOpNotIn {
			term.Values = rapid.SliceOfNDistinct(rapid.SampledFrom(someValues), 1, 3, rapid.ID[string]).Draw(t, "values")
		}
		ls.MatchExpressions = append(ls.MatchExpressions, term)
	}
	sel, err := metav1.LabelSelectorAsSelector(ls)
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

// universe is every set of labels over the small universe, with one value that
// no term names.
func universe() []labels.Set {
	sets := []labels.Set{{}}
	for _, key := range someKeys {
		var more []labels.Set
		for _, set := range sets {
			for _, v := range append(slices.Clone(someValues), "other") {
				with := labels.Set{key: v}
				maps.Copy(with, set)
				more = append(more, with)
			}
		}
		sets = append(sets, more...)
	}
	return sets
}

func TestWitnessMatchesBothAndIsFoundWhereOneExists(t *testing.T) {
	all := universe()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSelector(t), drawSelector(t)
		witness, meet := Witness(a, b)
		if meet && (!a.Matches(witness) || !b.Matches(witness)) {
			t.Fatalf("%v is no witness of %q and %q", witness, a, b)
		}
		i := slices.IndexFunc(all, func(set labels.Set) bool { return a.Matches(set) && b.Matches(set) })
		if !meet && i >= 0 {
			t.Fatalf("%q and %q meet on %v", a, b, all[i])
		}
	})
}

func TestPairsFindsWhatComparingAllFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		selectors := rapid.SliceOfN(rapid.Custom(drawSelector), 0, 12).Draw(t, "selectors")
		got, want := map[string]bool{}, map[string]bool{}
		Pairs(selectors, func(i, j int, _ labels.Set) bool {
			if key := fmt.Sprint(i, j); got[key] {
				t.Fatalf("%s twice", key)
			} else {
				got[key] = true
			}
			return true
		})
		for i := range selectors {
			for j := i + 1; j < len(selectors); j++ {
				if _, meet := Witness(selectors[i], selectors[j]); meet {
					want[fmt.Sprint(i, j)] = true
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %v, want %v of %v", got, want, selectors)
		}
	})
}

func TestIndexFindsWhatMatchingAllFinds(t *testing.T) {
	all := universe()
	rapid.Check(t, func(t *rapid.T) {
		selectors := rapid.SliceOfN(rapid.Custom(drawSelector), 0, 12).Draw(t, "selectors")
		x := NewIndex(selectors)
		set := rapid.SampledFrom(all).Draw(t, "set")
		var want []int
		for i, sel := range selectors {
			if sel.Matches(set) {
				want = append(want, i)
			}
		}
		if got := x.AppendMatching(nil, set); !slices.Equal(got, want) {
			t.Fatalf("%v: got %v, want %v of %v", set, got, want, selectors)
		}
	})
}

// counting counts how often a selector is tried.
type counting struct {
	labels.Selector
	tried *int
}

func (c counting) Matches(set labels.Labels) bool {
	*c.tried++
	return c.Selector.Matches(set)
}

// TestEachObjectMeetsFewSelectors keeps matching linear: with twice as many
// objects and selectors, twice as many are tried.
func TestEachObjectMeetsFewSelectors(t *testing.T) {
	tried := 0
	for _, n := range []int{100, 200, 400} {
		var selectors []labels.Selector
		for i := range n {
			sel := labels.SelectorFromSet(labels.Set{"team": "shop", "app": fmt.Sprint(i)})
			selectors = append(selectors, counting{sel, &tried})
		}
		x := NewIndex(selectors)
		tried = 0
		for i := range n {
			x.AppendMatching(nil, labels.Set{"team": "shop", "app": fmt.Sprint(i), "tier": "front"})
		}
		if tried != n {
			t.Errorf("%d objects tried %d selectors", n, tried)
		}
	}
}

func TestNear(t *testing.T) {
	var selectors []labels.Selector
	for _, text := range []string{"app=web,tier=front", "app=web", "app=db,tier=front", "app in (web,api),rel=1"} {
		sel, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		selectors = append(selectors, sel)
	}
	if got := NewIndex(selectors).Near(labels.Set{"tier": "front", "app": "api"}); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("got %v", got)
	}
}

// TestClassesMatchAlike: labels of one class match the same selectors, and
// values that no selector names make no classes.
func TestClassesMatchAlike(t *testing.T) {
	all := universe()
	rapid.Check(t, func(t *rapid.T) {
		x := NewIndex(rapid.SliceOfN(rapid.Custom(drawSelector), 0, 6).Draw(t, "selectors"))
		matching := map[string][]int{}
		for _, set := range all {
			class, got := x.Class(set), x.AppendMatching(nil, set)
			if want, known := matching[class]; known && !slices.Equal(got, want) {
				t.Fatalf("class %s holds labels that match %v, and %v that match %v", class, want, set, got)
			}
			matching[class] = got
		}
		if x.Class(labels.Set{"other": "a"}) != x.Class(nil) || x.Class(labels.Set{"app": "x"}) != x.Class(labels.Set{"app": "y"}) {
			t.Fatal("a label that no selector names makes a class")
		}
	})
}

// TestPairsGivesUp: selectors that nothing keeps apart and that never meet are
// not all compared, and Pairs says so.
func TestPairsGivesUp(t *testing.T) {
	for n, want := range map[int]bool{20: true, 2000: false} {
		var selectors []labels.Selector
		for i := range n {
			sel, err := labels.Parse([]string{"app,app in (web)", "!app"}[i%2])
			if err != nil {
				t.Fatal(err)
			}
			selectors = append(selectors, sel)
		}
		compared := 0
		if got := Pairs(selectors, func(int, int, labels.Set) bool { compared++; return true }); got != want {
			t.Errorf("%d selectors: all compared: %t, want %t", n, got, want)
		}
		if most := stepsEach*n + stepsMore; compared > most {
			t.Errorf("%d selectors: %d pairs found, want at most %d", n, compared, most)
		}
	}
}

// TestNarrower: a selector with all terms of another matches no more than that.
func TestNarrower(t *testing.T) {
	parse := func(text string) labels.Selector {
		sel, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return sel
	}
	for _, tt := range []struct {
		sel, than string
		want      bool
	}{
		{"app=web", "app=web", true},
		{"app=web,tier in (a,b)", "tier in (b,a)", true},
		{"app=web", "", true},
		{"app=web", "app=web,tier", false},
		{"app=web", "app", false}, // is, and is not found
		{"", "app=web", false},
	} {
		if got := Narrower(parse(tt.sel), parse(tt.than)); got != tt.want {
			t.Errorf("%q narrower than %q: %v", tt.sel, tt.than, got)
		}
	}
	if nothing, all := labels.Nothing(), labels.Everything(); Narrower(nothing, all) || Narrower(all, nothing) {
		t.Error("a selector that matches nothing is taken for another")
	}
}
