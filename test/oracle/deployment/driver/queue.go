package driver

import "time"

// queue is a rate-limiting work queue that hands out one key and writes down
// what the controller asks for, without any timer.
type queue struct {
	key     string
	pending bool
	asked   requeues
}

// requeues are what one sync asked for.
type requeues struct {
	after                  []time.Duration
	rateLimited, forgotten bool
}

func (q *queue) offer(key string) { *q = queue{key: key, pending: true} }

func (q *queue) Get() (string, bool) {
	pending := q.pending
	q.pending = false
	return q.key, !pending
}

func (q *queue) AddAfter(_ string, d time.Duration) { q.asked.after = append(q.asked.after, d) }
func (q *queue) AddRateLimited(string)              { q.asked.rateLimited = true }
func (q *queue) Forget(string)                      { q.asked.forgotten = true }

// The rest of the interface is not reached by a sync, or has nothing to tell.
func (q *queue) Add(string)             {}
func (q *queue) Done(string)            {}
func (q *queue) Len() int               { return 0 }
func (q *queue) NumRequeues(string) int { return 0 }
func (q *queue) ShutDown()              {}
func (q *queue) ShutDownWithDrain()     {}
func (q *queue) ShuttingDown() bool     { return false }
