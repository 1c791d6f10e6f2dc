package expectations

import (
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

var now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestSatisfied(t *testing.T) {
	for name, c := range map[string]struct {
		record *Record
		want   bool
	}{
		"no record":                      {nil, true},
		"fulfilled":                      {&Record{Recorded: now}, true},
		"over-fulfilled":                 {&Record{Adds: -1, Recorded: now}, true},
		"one creation outstanding":       {&Record{Adds: 1, Recorded: now}, false},
		"one deletion outstanding":       {&Record{Dels: 1, Recorded: now}, false},
		"outstanding for exactly 5 min":  {&Record{Adds: 1, Recorded: now.Add(-Timeout)}, false},
		"outstanding for more than that": {&Record{Adds: 1, Recorded: now.Add(-Timeout - 1)}, true},
	} {
		if got := c.record.Satisfied(now); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestDeletionsAreObservedByKeyOnce(t *testing.T) {
	r := ExpectDeletions([]string{"shop/a", "shop/b"}, now)
	r.DeletionObserved("shop/c")
	r.DeletionObserved("shop/a")
	r.DeletionObserved("shop/a")
	if r.Dels != 1 || r.Keys["shop/a"] || !r.Keys["shop/b"] {
		t.Errorf("want shop/b outstanding alone, got %+v", r)
	}
}

func TestCreationsKeepOldDeleteKeys(t *testing.T) {
	old := ExpectDeletions([]string{"shop/a"}, now)
	r := ExpectCreations(old, 2, now)
	if r.Adds != 2 || r.Dels != 0 || !r.Keys["shop/a"] {
		t.Errorf("got %+v", r)
	}
	r.CreationObserved(2)
	if !r.Fulfilled() {
		t.Errorf("want fulfilled, got %+v", r)
	}
	if *ExpectDeletions(nil, now).Show(now).ExpiresIn != decision.Span(5*time.Minute) {
		t.Error("a fresh record expires in 5m0s")
	}
}
