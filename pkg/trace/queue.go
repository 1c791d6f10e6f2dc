package trace

import (
	"maps"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// queue is client-go's rate limited work queue on the engine's clock, observed
// at its seams: what delays a key, and what comes back when a delay is over.
type queue struct {
	clock   *clocktesting.FakeClock
	ready   workqueue.TypedInterface[string]
	later   workqueue.TypedDelayingInterface[string]
	limited workqueue.TypedRateLimitingInterface[string]
	limiter workqueue.TypedRateLimiter[string]

	back *returns
	// due is when a delayed key is ready, first the earliest of them.
	due   map[string]time.Time
	first time.Time
	// since is when a key that is ready was queued.
	since map[string]time.Time
	// flying are the keys that workers are busy with, busiest how many at most.
	flying  map[string]bool
	busiest int
	// meter counts what happens; nil for none.
	meter *meter
}

// nudge is a key that only wakes the queue.
const nudge = "\x00nudge"

func newQueue(c *clocktesting.FakeClock, name string, m *meter) *queue {
	ready, later := workqueue.TypedQueueConfig[string]{Clock: c}, workqueue.TypedDelayingQueueConfig[string]{Clock: c}
	if m != nil {
		m.configure(name, &ready)
		later.Name, later.MetricsProvider = name, m
	}
	q := &queue{
		clock: c, ready: workqueue.NewTypedWithConfig(ready), limiter: newLimiter(c), meter: m,
		back: &returns{}, due: map[string]time.Time{}, since: map[string]time.Time{}, flying: map[string]bool{},
	}
	q.back.TypedInterface = q.ready
	later.Queue = q.back
	q.later = observed{workqueue.NewTypedDelayingQueueWithConfig(later), q}
	q.limited = workqueue.NewTypedRateLimitingQueueWithConfig(q.limiter, workqueue.TypedRateLimitingQueueConfig[string]{Clock: c, DelayingQueue: q.later})
	return q
}

// newLimiter is DefaultTypedControllerRateLimiter on the engine's clock.
func newLimiter(c *clocktesting.FakeClock) workqueue.TypedRateLimiter[string] {
	return workqueue.NewTypedMaxOfRateLimiter(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second),
		&bucket{clock: c, Limiter: rate.NewLimiter(rate.Limit(10), 100)},
	)
}

// bucket is client-go's BucketRateLimiter, which knows no clock but the real one.
type bucket struct {
	*rate.Limiter
	clock *clocktesting.FakeClock
}

func (b *bucket) When(string) time.Duration {
	now := b.clock.Now()
	return b.ReserveN(now, 1).DelayFrom(now)
}
func (b *bucket) NumRequeues(string) int { return 0 }
func (b *bucket) Forget(string)          {}

// observed notes every delay before client-go's queue keeps it.
type observed struct {
	workqueue.TypedDelayingInterface[string]
	q *queue
}

func (o observed) AddAfter(key string, d time.Duration) {
	if d > 0 {
		o.q.note(key, o.q.clock.Now().Add(d))
	}
	o.TypedDelayingInterface.AddAfter(key, d)
}

func (q *queue) note(key string, at time.Time) {
	if was, waiting := q.due[key]; waiting && !at.Before(was) {
		return // client-go keeps the earlier one
	}
	q.due[key] = at
	if q.first.IsZero() || at.Before(q.first) {
		q.first = at
	}
}

// returns is where client-go's queue puts keys whose delay is over.
type returns struct {
	workqueue.TypedInterface[string]
	mu   sync.Mutex
	cond *sync.Cond
	keys map[string]bool
}

// Add is called by the goroutine of the delaying queue.
func (r *returns) Add(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.init()
	r.keys[key] = true
	r.cond.Broadcast()
}

func (r *returns) init() {
	if r.cond == nil {
		r.cond, r.keys = sync.NewCond(&r.mu), map[string]bool{}
	}
}

// await waits for the keys, and forgets those that nobody waits for. One that is
// due later may have come already: when client-go's queue gets an earlier time
// for a key just then, it hands the key back without dropping the later one, and
// merges with that what the key is delayed for next.
func (r *returns) await(keys []string, later map[string]time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.init()
	for _, key := range keys {
		for !r.keys[key] {
			r.cond.Wait()
		}
		delete(r.keys, key)
	}
	maps.DeleteFunc(r.keys, func(key string, _ bool) bool {
		_, waiting := later[key]
		return !waiting
	})
}

// add queues a key now.
func (q *queue) add(key string) entry.Queueing {
	q.ready.Add(key)
	if q.flying[key] {
		q.meter.meets(key)
	}
	if _, queued := q.since[key]; queued {
		return entry.Deduplicated
	}
	q.since[key] = q.clock.Now()
	if q.flying[key] {
		return entry.InFlight
	}
	return entry.Queued
}

// Add queues a key, at once or later.
func (q *queue) Add(key string, d time.Duration) entry.Queueing {
	if d <= 0 {
		return q.add(key)
	}
	if was, waiting := q.due[key]; waiting && !q.clock.Now().Add(d).Before(was) {
		return entry.Waiting
	}
	q.later.AddAfter(key, d)
	q.meter.delays(d)
	return entry.Delayed
}

// Fail queues a key again after a failed sync, and tells when.
func (q *queue) Fail(key string) (failures int, delay time.Duration) {
	q.limited.AddRateLimited(key)
	delay = q.due[key].Sub(q.clock.Now())
	q.meter.fails(delay)
	return q.limited.NumRequeues(key), delay
}

// Forget ends the failures of a key, Failures counts them.
func (q *queue) Forget(key string)       { q.limited.Forget(key) }
func (q *queue) Failures(key string) int { return q.limited.NumRequeues(key) }

// next is when the first delayed key is due, zero when there is none.
func (q *queue) next() time.Time { return q.first }

// release queues the keys that are due now, once client-go's queue has handed
// them back.
func (q *queue) release() {
	var due []string
	q.first = time.Time{}
	for key, at := range q.due {
		switch {
		case !at.After(q.clock.Now()):
			due = append(due, key)
		case q.first.IsZero() || at.Before(q.first):
			q.first = at
		}
	}
	if len(due) == 0 {
		return
	}
	q.later.(observed).TypedDelayingInterface.AddAfter(nudge, math.MaxInt64/4)
	for _, key := range due {
		delete(q.due, key)
	}
	q.back.await(due, q.due)
	sortStrings(due)
	for _, key := range due {
		q.add(key)
	}
}

// get takes the next key, and tells how long it was queued.
func (q *queue) get() (key string, waited time.Duration, ok bool) {
	if q.ready.Len() == 0 {
		return "", 0, false
	}
	key, shutdown := q.ready.Get()
	if shutdown {
		return "", 0, false
	}
	waited = q.clock.Now().Sub(q.since[key])
	delete(q.since, key)
	q.flying[key] = true
	q.busiest = max(q.busiest, len(q.flying))
	return key, waited, true
}

// done ends what a worker does with a key. If it was added meanwhile it is ready again.
func (q *queue) done(key string) {
	delete(q.flying, key)
	q.ready.Done(key)
}

// isReady reports whether a key lies in the queue, pending whether it is synced now or soon.
func (q *queue) isReady(key string) bool {
	_, queued := q.since[key]
	return queued && !q.flying[key]
}

func (q *queue) pending(key string) bool {
	_, queued := q.since[key]
	return queued || q.flying[key]
}

func (q *queue) stop() {
	q.later.ShutDown()
	q.ready.ShutDown()
}
