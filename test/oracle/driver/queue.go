package driver

import (
	"fmt"
	"time"
)

// recordingQueue is a rate-limiting work queue that hands out one key and
// writes down what the controller asks for, without any timer. T is string
// for workqueue.TypedRateLimitingInterface[string] (1.31 and later) and any
// for workqueue.RateLimitingInterface.
type recordingQueue[T comparable] struct {
	next    T
	pending bool
	calls   queueCalls
}

// queueCalls are the requeues one sync asked for.
type queueCalls struct {
	after       []time.Duration
	rateLimited bool
	forgotten   bool
	// added and later are the keys that event handlers ask for, at once and
	// after a time.
	added, later []string
}

// keyQueue is the driver's side of a recordingQueue.
type keyQueue interface {
	offer(key string)
	forget()
	recorded() queueCalls
}

// offer makes key the next item and forgets what was recorded before.
func (q *recordingQueue[T]) offer(key string) {
	q.next, q.pending = any(key).(T), true
	q.calls = queueCalls{}
}

func (q *recordingQueue[T]) recorded() queueCalls { return q.calls }

func (q *recordingQueue[T]) Get() (item T, shutdown bool) {
	item, shutdown = q.next, !q.pending
	q.pending = false
	return item, shutdown
}

func (q *recordingQueue[T]) AddAfter(key T, d time.Duration) {
	q.calls.after = append(q.calls.after, d)
	q.calls.later = append(q.calls.later, fmt.Sprint(key, " ", d))
}
func (q *recordingQueue[T]) AddRateLimited(T) { q.calls.rateLimited = true }
func (q *recordingQueue[T]) Forget(T)         { q.calls.forgotten = true }

func (q *recordingQueue[T]) Add(key T) { q.calls.added = append(q.calls.added, fmt.Sprint(key)) }

// forget empties the recording.
func (q *recordingQueue[T]) forget() { q.calls = queueCalls{} }

// The rest of the interface is not reached by a sync.
func (q *recordingQueue[T]) Done(T)            {}
func (q *recordingQueue[T]) Len() int          { return 0 }
func (q *recordingQueue[T]) NumRequeues(T) int { return 0 }
func (q *recordingQueue[T]) ShutDown()         {}
func (q *recordingQueue[T]) ShutDownWithDrain() {
}
func (q *recordingQueue[T]) ShuttingDown() bool { return false }
