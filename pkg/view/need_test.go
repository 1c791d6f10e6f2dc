package view_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestCoveredSelectors: whatever is read for one selector includes all that one matches which it is
// said to cover, also where values look like keys.
func TestCoveredSelectors(t *testing.T) {
	texts := []string{"", "a", "!a", "a=b", "a=c", "b", "a=b,b", "a=b,b=c", "a in (b,c)", "a in (b,c),b", "b notin (a,c)", "a=b,b in (a,c)", "c in (a,b,d)", "a in (a,b),b in (c,d)", "a in (a,b,c)", "a in (b)", "a!=b", "a notin (b)", "!a,b=c"}
	for _, wide := range texts {
		for _, narrow := range texts {
			if !(view.Need{Kind: view.Pods, Selector: wide}).Covers(view.Need{Kind: view.Pods, Selector: narrow}) {
				continue
			}
			for _, set := range sets() {
				if matches(t, narrow, set) && !matches(t, wide, set) {
					t.Errorf("%q does not cover %q: %v", wide, narrow, set)
				}
			}
		}
	}
	for narrow, wide := range map[string]string{"a=b,b=c": "a=b", "a=b": "a in (a,b,c)", "a in (a,b),b": "a in (a,b,c)", "a in (b),b": "a in (b,c),b"} {
		one, other := view.Need{Kind: view.Pods, Selector: wide}, view.Need{Kind: view.Pods, Selector: narrow}
		if !one.Covers(other) || other.Covers(one) {
			t.Errorf("%q does not cover %q, or is covered", wide, narrow)
		}
	}
}

// sets are all sets of three labels that may be missing.
func sets() (all []labels.Set) {
	values := []string{"", "a", "b", "c"}
	for _, a := range values {
		for _, b := range values {
			for _, c := range values {
				set := labels.Set{"a": a, "b": b, "c": c}
				for key, value := range set {
					if value == "" {
						delete(set, key)
					}
				}
				all = append(all, set)
			}
		}
	}
	return all
}

func matches(t *testing.T, selector string, set labels.Set) bool {
	t.Helper()
	s, err := labels.Parse(selector)
	if err != nil {
		t.Fatal(err)
	}
	return s.Matches(set)
}
