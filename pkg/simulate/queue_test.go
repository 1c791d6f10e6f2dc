package simulate

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// naive is a delaying queue as one would write it down: keys that are queued, and keys
// that wait, each once and for the first instant that anybody asked for. Those of one
// instant come in the order in which they got it.
type naive []asked

type asked struct {
	k     slot
	waits bool
	due   time.Time
	// event: it is not for its timer alone.
	event bool
}

func (n *naive) add(k slot, after time.Duration, now time.Time) {
	a := asked{k, after > 0, now.Add(after), after == 0}
	for i, o := range *n {
		switch {
		case o.k == k && o.waits == a.waits && !a.due.Before(o.due): // there, and not later
			return
		case o.k == k && !a.waits && !o.due.After(now): // its time is over
			(*n)[i].event = true
			return
		}
	}
	*n = append(slices.DeleteFunc(*n, func(o asked) bool { return o.k == k && o.waits == a.waits }), a)
}

func (n *naive) get(now time.Time) (k slot, timed, ok bool) {
	var first asked
	for _, o := range *n {
		if !o.due.After(now) && (!ok || o.due.Before(first.due)) {
			first, ok = o, true
		}
	}
	timed = true
	*n = slices.DeleteFunc(*n, func(o asked) bool {
		taken := ok && o.k == first.k && !o.due.After(now)
		timed = timed && (!taken || !o.event)
		return taken
	})
	return first.k, timed, ok
}

func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
		s, n := newSchedule(func() time.Time { return now }), naive{}
		second := rapid.IntRange(0, 5)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := slot{rapid.IntRange(0, 1).Draw(t, "actor"), rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key")}
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				after := time.Duration(second.Draw(t, "after")) * time.Second
				queue{s, k.actor}.Add(k.key, after)
				n.add(k, after, now)
			case 2:
				now = now.Add(time.Duration(second.Draw(t, "later")) * time.Second)
			default:
				want, timed, due := n.get(now)
				if got, ok := s.get(now); ok != due || got != want || ok && s.timed != timed {
					t.Fatalf("got %v %v, by its timer %v; want %v %v, %v", got, ok, s.timed, want, due, timed)
				}
			}
		}
		if _, waits := s.next(); waits != (len(n) > 0) {
			t.Fatalf("something waits: %v, want %d keys", waits, len(n))
		}
	})
}

// TestWaitsOn: a key that is queued for now while it waits is synced again when its time
// comes, and does not wait anew until then.
func TestWaitsOn(t *testing.T) {
	start := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	now := start
	s := newSchedule(func() time.Time { return now })
	q := queue{s, 0}
	q.Add("web", 30*time.Second)
	now = start.Add(15 * time.Second)
	q.Add("web", 0)
	if _, ok := s.get(now); !ok {
		t.Fatal("it is not queued")
	}
	q.Add("web", 30*time.Second)
	if due, waits := s.next(); !waits || !due.Equal(start.Add(30*time.Second)) {
		t.Errorf("it waits until %v, %v", due, waits)
	}
	now = start.Add(30 * time.Second)
	q.Add("web", 0)
	if _, ok := s.get(now); !ok || s.due(now) {
		t.Error("it is synced twice in one instant")
	}
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

// TestBackOff: however often a key fails, it waits as long as before or longer, and
// 1000 seconds at most.
func TestBackOff(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	s := newSchedule(func() time.Time { return now })
	s.retries = func() bool { return true }
	q, last := queue{s, 0}, time.Duration(0)
	for n := range 100 {
		failures, delay := q.Fail("web")
		if failures != n+1 || delay < last || delay <= 0 || delay > 1000*time.Second {
			t.Fatalf("failure %d waits %s, after %s", failures, delay, last)
		}
		last = delay
	}
	if last != 1000*time.Second {
		t.Errorf("at last it waits %s", last)
	}
}
