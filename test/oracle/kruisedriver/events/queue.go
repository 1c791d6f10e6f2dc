package events

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// record is what handlers ask of the queue.
type record struct {
	mu           sync.Mutex
	added, after []string
	// asked is closed when a worker asks for work, ended when there will be none.
	asked, ended   chan struct{}
	asking, ending sync.Once
}

func newRecord() *record {
	return &record{asked: make(chan struct{}), ended: make(chan struct{})}
}

func (r *record) add(key any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.added = append(r.added, fmt.Sprint(key))
}

func (r *record) addAfter(key, d any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.after = append(r.after, fmt.Sprint(key, " ", d))
}

// take returns what was asked since the last time, sorted.
func (r *record) take() (added, after []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	added, after = r.added, r.after
	r.added, r.after = nil, nil
	slices.Sort(added)
	slices.Sort(after)
	return added, after
}

// recording is a queue of any type of keys, which never hands one out.
type recording[T any] struct{ *record }

func (q recording[T]) Add(key T)                       { q.add(key) }
func (q recording[T]) AddAfter(key T, d time.Duration) { q.addAfter(key, d) }
func (q recording[T]) AddRateLimited(key T)            { q.addAfter(key, "rate limited") }

// Get lets a worker wait until the queue is shut down.
func (q recording[T]) Get() (none T, shutdown bool) {
	q.asking.Do(func() { close(q.asked) })
	<-q.ended
	return none, true
}

func (q recording[T]) ShutDown()          { q.ending.Do(func() { close(q.ended) }) }
func (q recording[T]) ShutDownWithDrain() { q.ShutDown() }
func (q recording[T]) ShuttingDown() bool { return false }
func (q recording[T]) Done(T)             {}
func (q recording[T]) Forget(T)           {}
func (q recording[T]) NumRequeues(T) int  { return 0 }
func (q recording[T]) Len() int           { return 0 }
