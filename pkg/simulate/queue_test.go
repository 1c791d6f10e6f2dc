package simulate

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// naive is a delaying queue as one would write it down: each key once, as early as
// anybody asked for, and keys of one instant in the order in which they got it.
type naive struct {
	keys []slot
	due  map[slot]time.Time
}

func (n *naive) add(k slot, due time.Time) {
	if was, there := n.due[k]; there && !due.Before(was) {
		return
	}
	n.keys = append(slices.DeleteFunc(n.keys, func(other slot) bool { return other == k }), k)
	n.due[k] = due
}

func (n *naive) get(now time.Time) (k slot, ok bool) {
	for _, other := range n.keys {
		if !n.due[other].After(now) && (!ok || n.due[other].Before(n.due[k])) {
			k, ok = other, true
		}
	}
	if ok {
		n.keys = slices.DeleteFunc(n.keys, func(other slot) bool { return other == k })
		delete(n.due, k)
	}
	return k, ok
}

func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
		s, n := newSchedule(func() time.Time { return now }), naive{due: map[slot]time.Time{}}
		second := rapid.IntRange(0, 5)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := slot{rapid.IntRange(0, 1).Draw(t, "actor"), rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key")}
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				after := time.Duration(second.Draw(t, "after")) * time.Second
				queue{s, k.actor}.Add(k.key, after)
				n.add(k, now.Add(after))
			case 2:
				now = now.Add(time.Duration(second.Draw(t, "later")) * time.Second)
			default:
				want, due := n.get(now)
				if got, ok := s.get(now); ok != due || got != want {
					t.Fatalf("got %v %v, want %v %v", got, ok, want, due)
				}
			}
		}
		if _, waits := s.next(); waits != (len(n.keys) > 0) {
			t.Fatalf("something waits: %v, want %d keys", waits, len(n.keys))
		}
	})
}

// TestRetry: a key that failed is tried again when another one has changed something,
// until a sync of it does not fail.
func TestRetry(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	s := newSchedule(func() time.Time { return now })
	q := queue{s, 0}
	q.Fail("web")
	q.Fail("web")
	if s.retry(slot{0, "web"}); s.due(now) {
		t.Error("its own change is no reason to try it again")
	}
	s.retry(slot{0, "other"})
	if k, ok := s.get(now); !ok || k.key != "web" || s.due(now) {
		t.Errorf("got %v, and more is due: %v", k, s.due(now))
	}
	q.Forget("web")
	if s.retry(slot{0, "other"}); s.due(now) {
		t.Error("it did not fail")
	}
}
