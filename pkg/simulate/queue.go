package simulate

import (
	"container/heap"
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// schedule holds the keys of all actors: first those that are due first, and of
// those the first that was queued. As in client-go's delaying queue, a key that waits
// goes on waiting while it is queued for now, and is synced again then.
type schedule struct {
	now  func() time.Time
	heap entries
	in   map[place]*scheduled
	// failed are keys whose last sync failed, in the order in which they did.
	failed []slot
	seq    int
	// retries reports whether a sync that failed is worth repeating although nothing
	// has been seen to change; failures counts those in a row.
	retries  func() bool
	failures map[slot]int
	// timed is true when nothing but its own timer queued the key that was taken last.
	timed bool
}

// slot is a key of an actor, by the actor's place among all.
type slot struct {
	actor int
	key   string
}

// place is a key that waits, or one that is queued.
type place struct {
	slot
	waits bool
}

type scheduled struct {
	place
	due   time.Time
	seq   int
	index int
	// joined: an event came once the wait was over, which would have queued the key as well.
	joined bool
}

func newSchedule(now func() time.Time) *schedule {
	return &schedule{now: now, in: map[place]*scheduled{}, failures: map[slot]int{}}
}

// add queues a key once, and has it wait once, for the first instant that anybody asks
// for.
func (s *schedule) add(k slot, after time.Duration) entry.Queueing {
	at, due := place{k, after > 0}, s.now().Add(max(after, 0))
	e, there := s.in[at]
	switch {
	case there && !at.waits:
		return entry.Deduplicated
	case there && !due.Before(e.due):
		return entry.Waiting
	case !at.waits && s.over(k):
		s.in[place{k, true}].joined = true
		return entry.Deduplicated
	case there:
		s.seq++
		e.due, e.seq = due, s.seq
		heap.Fix(&s.heap, e.index)
	default:
		s.seq++
		e = &scheduled{place: at, due: due, seq: s.seq}
		s.in[at] = e
		heap.Push(&s.heap, e)
	}
	if at.waits {
		return entry.Delayed
	}
	return entry.Queued
}

// over reports whether a key has waited long enough, and is queued by that.
func (s *schedule) over(k slot) bool {
	e, waits := s.in[place{k, true}]
	return waits && !e.due.After(s.now())
}

// get takes the first key that is due at an instant.
func (s *schedule) get(at time.Time) (k slot, ok bool) {
	if !s.due(at) {
		return slot{}, false
	}
	e := heap.Pop(&s.heap).(*scheduled)
	delete(s.in, e.place)
	other := s.in[place{e.slot, !e.waits}]
	both := other != nil && !other.due.After(at) // one sync is for both
	if both {
		heap.Remove(&s.heap, other.index)
		delete(s.in, other.place)
	}
	s.timed = e.waits && !e.joined && !both
	return e.slot, true
}

// due reports whether a key is due at an instant.
func (s *schedule) due(at time.Time) bool { return len(s.heap) > 0 && !s.heap[0].due.After(at) }

// next is when the first key is due.
func (s *schedule) next() (at time.Time, ok bool) {
	if len(s.heap) == 0 {
		return time.Time{}, false
	}
	return s.heap[0].due, true
}

// retry queues the keys whose last sync failed, but for one.
func (s *schedule) retry(but slot) {
	for _, k := range s.failed {
		if k != but {
			s.add(k, 0)
		}
	}
}

// queue is the queue of one actor.
type queue struct {
	*schedule
	actor int
}

func (q queue) Add(key string, after time.Duration) entry.Queueing {
	return q.add(slot{q.actor, key}, after)
}

// Fail has a sync repeated once something else has changed: until then it comes to
// the same, however often it is repeated, so that none is counted. While changes are on
// their way to its cache, the back-off goes on, that of client-go's
// DefaultTypedControllerRateLimiter.
func (q queue) Fail(key string) (failures int, delay time.Duration) {
	k := slot{q.actor, key}
	if !slices.Contains(q.failed, k) {
		q.failed = append(q.failed, k)
	}
	if q.retries == nil || !q.retries() {
		return 1, 0
	}
	delay = min(firstDelay<<min(q.failures[k], mostDoublings), longestDelay)
	q.failures[k]++
	q.add(k, delay)
	return q.failures[k], delay
}

// The delays of a key that fails; more doublings than these are beyond the longest.
const firstDelay, longestDelay, mostDoublings = 5 * time.Millisecond, 1000 * time.Second, 18

func (q queue) Failures(string) int { return 0 }

func (q queue) Forget(key string) {
	k := slot{q.actor, key}
	delete(q.failures, k)
	q.failed = slices.DeleteFunc(q.failed, func(other slot) bool { return other == k })
}

// entries is a heap.
type entries []*scheduled

func (e entries) Len() int { return len(e) }
func (e entries) Less(i, j int) bool {
	if c := e[i].due.Compare(e[j].due); c != 0 {
		return c < 0
	}
	return e[i].seq < e[j].seq
}

func (e entries) Swap(i, j int) {
	e[i], e[j] = e[j], e[i]
	e[i].index, e[j].index = i, j
}

func (e *entries) Push(x any) {
	x.(*scheduled).index = len(*e)
	*e = append(*e, x.(*scheduled))
}

func (e *entries) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
