package edge

import (
	"fmt"
	"reflect"
	"time"
)

// recordingQueue is a rate-limiting work queue that hands out one key and
// writes down what the controller asks for, without any timer. T is string
// for workqueue.TypedRateLimitingInterface[string] (1.31 and later) and any
// for workqueue.RateLimitingInterface.
type recordingQueue[T comparable] struct {
	next    T
	pending bool
	calls   QueueCalls
}

// QueueCalls are the requeues one sync or one event handler asked for.
type QueueCalls struct {
	After       []time.Duration
	RateLimited bool
	Forgotten   bool
	// Added and Later are the keys that event handlers ask for, at once and
	// after a time.
	Added, Later []string
}

// AfterText is After as Go durations, never nil.
func (c QueueCalls) AfterText() []string {
	text := []string{}
	for _, d := range c.After {
		text = append(text, d.String())
	}
	return text
}

// KeyQueue is the driver's side of a recordingQueue.
type KeyQueue interface {
	offer(key string)
	forget()
	// taken is the key that was offered, finish what becomes of it.
	taken() string
	finish(syncError error)
	Recorded() QueueCalls
}

// replaceQueue puts a recording queue in place of the real one, whose
// goroutines stay parked: time never moves in the bubble.
func replaceQueue(controller any) KeyQueue {
	f := Field(controller, "queue")
	for _, q := range []KeyQueue{&recordingQueue[string]{}, &recordingQueue[any]{}} {
		if reflect.TypeOf(q).Implements(f.Type()) {
			f.Set(reflect.ValueOf(q))
			return q
		}
	}
	panic(fmt.Sprintf("no recording queue implements %s: adapt the driver to this version", f.Type()))
}

// offer makes key the next item and forgets what was recorded before.
func (q *recordingQueue[T]) offer(key string) {
	q.next, q.pending = any(key).(T), true
	q.calls = QueueCalls{}
}

func (q *recordingQueue[T]) taken() string {
	key, _ := q.Get()
	return fmt.Sprint(key)
}

func (q *recordingQueue[T]) finish(syncError error) {
	q.calls.RateLimited, q.calls.Forgotten = syncError != nil, syncError == nil
}

func (q *recordingQueue[T]) Recorded() QueueCalls { return q.calls }

func (q *recordingQueue[T]) Get() (item T, shutdown bool) {
	item, shutdown = q.next, !q.pending
	q.pending = false
	return item, shutdown
}

func (q *recordingQueue[T]) AddAfter(key T, d time.Duration) {
	q.calls.After = append(q.calls.After, d)
	q.calls.Later = append(q.calls.Later, fmt.Sprint(key, " ", d))
}
func (q *recordingQueue[T]) AddRateLimited(T) { q.calls.RateLimited = true }
func (q *recordingQueue[T]) Forget(T)         { q.calls.Forgotten = true }

func (q *recordingQueue[T]) Add(key T) { q.calls.Added = append(q.calls.Added, fmt.Sprint(key)) }

// forget empties the recording.
func (q *recordingQueue[T]) forget() { q.calls = QueueCalls{} }

// The rest of the interface is not reached by a sync.
func (q *recordingQueue[T]) Done(T)            {}
func (q *recordingQueue[T]) Len() int          { return 0 }
func (q *recordingQueue[T]) NumRequeues(T) int { return 0 }
func (q *recordingQueue[T]) ShutDown()         {}
func (q *recordingQueue[T]) ShutDownWithDrain() {
}
func (q *recordingQueue[T]) ShuttingDown() bool { return false }
