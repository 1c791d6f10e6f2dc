package trace

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// timed is a queue of deltas that notes when it gets what it hands out.
type timed struct {
	cache.Queue
	now func() time.Time
	// whole: a list is one delta. keyed: the queue has one place for each key, a DeltaFIFO.
	whole, keyed bool
	depth        *depth

	mu sync.Mutex
	// since is when an object was queued, lists when whole lists were.
	since map[any]time.Time
	lists []time.Time
}

func newTimed(q cache.Queue, minor int, d *depth, now func() time.Time) *timed {
	return &timed{Queue: q, now: now, whole: minor >= atomicLists, keyed: minor < inOrder, depth: d, since: map[any]time.Time{}}
}

func (q *timed) note(objects ...any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := q.now()
	for _, obj := range objects {
		q.since[obj] = at
	}
	if q.keyed {
		q.depth.queues(objects...)
	}
}

// popped notes what is handed out, marks among it.
func (q *timed) popped(deltas []cache.Delta, marks []*mark) {
	if q == nil {
		return
	}
	q.depth.unmarked(marks)
	if q.keyed {
		q.depth.pops(deltas)
	}
}

// Add and the others are what a reflector calls.
func (q *timed) Add(obj any) error {
	q.note(obj)
	return q.Queue.Add(obj)
}

// Update queues an update.
func (q *timed) Update(obj any) error {
	q.note(obj)
	return q.Queue.Update(obj)
}

// Delete queues a deletion.
func (q *timed) Delete(obj any) error {
	q.note(obj)
	return q.Queue.Delete(obj)
}

// Replace queues a list.
func (q *timed) Replace(list []any, version string) error {
	if !q.whole {
		q.note(list...)
		q.depth.replaced()
		return q.Queue.Replace(list, version)
	}
	q.mu.Lock()
	q.lists = append(q.lists, q.now())
	q.mu.Unlock()
	return q.Queue.Replace(list, version)
}

// Bookmark queues a bookmark, where the queue takes them.
func (q *timed) Bookmark(version string) error {
	if b, ok := q.Queue.(cache.ReflectorBookmarkStore); ok {
		return b.Bookmark(version)
	}
	return nil
}

// PopBatch hands out several deltas; it is called where the queue can.
func (q *timed) PopBatch(batch cache.ProcessBatchFunc, one cache.PopProcessFunc) error {
	b, ok := q.Queue.(cache.QueueWithBatch)
	if !ok {
		_, err := q.Pop(one)
		return err
	}
	return b.PopBatch(batch, one)
}

// waited is how long the first of some deltas was queued; not known of deletions that
// the queue itself found.
func (q *timed) waited(deltas []cache.Delta) (first time.Duration, known bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	for _, d := range deltas {
		if at, ok := q.taken(d); ok {
			first, known = max(first, now.Sub(at)), true
		}
	}
	return first, known
}

// taken forgets when a delta was queued.
func (q *timed) taken(d cache.Delta) (at time.Time, known bool) {
	switch obj := d.Object.(type) {
	case cache.ReplacedAllInfo:
		if known = len(q.lists) > 0; known {
			at, q.lists = q.lists[0], q.lists[1:]
		}
	case cache.BookmarkInfo, cache.SyncAllInfo, cache.DeletedFinalStateUnknown:
	default:
		at, known = q.since[obj]
		delete(q.since, obj)
	}
	return at, known
}

// popped is what was handed out at once.
type popped struct {
	at     time.Time
	deltas entry.Deltas
	calls  entry.Calls
	began  time.Time
	told   bool
}

// mostTombstones bounds those that a step names.
const mostTombstones = 10

// pops notes deltas that were handed out, and what of single objects they are. Whether a
// word is lost about them is known when something follows from them.
func (i *insider) pops(at time.Time, q *timed, deltas, all []cache.Delta, initial bool) *popped {
	if i == nil || len(deltas) == 0 {
		return nil
	}
	p := &popped{at: at, began: i.clock.Now(), deltas: entry.Deltas{
		Queue: i.sum.Queue, Types: map[string]int{}, Objects: len(all), Initial: initial,
	}}
	unusual := initial && len(deltas) > 1
	for _, d := range deltas {
		p.deltas.Types[string(d.Type)]++
		i.sum.Deltas[string(d.Type)]++
		unusual = unusual || d.Type == cache.ReplacedAll || d.Type == cache.SyncAll
	}
	for _, d := range all {
		if t, ok := d.Object.(cache.DeletedFinalStateUnknown); ok {
			i.sum.Tombstones++
			if unusual = true; len(p.deltas.Tombstones) < mostTombstones {
				p.deltas.Tombstones = append(p.deltas.Tombstones, t.Key)
			}
		}
	}
	i.sum.Pops++
	p.deltas.Left, i.sum.Deepest = q.depth.left()
	i.sum.Largest = max(i.sum.Largest, len(deltas))
	if waited, known := q.waited(deltas); known {
		p.deltas.Waited = (*decision.Span)(&waited)
		i.queued = append(i.queued, waited)
	}
	i.engine.tellBefore(func() {
		p.told = true
		i.tellAt(at, &entry.Step{Part: entry.DeltaQueuePart, Source: entry.ClientGo, Resource: i.sum.Resource, Did: entry.Popped, Deltas: &p.deltas})
	})
	if unusual {
		i.engine.tellFirst()
	}
	return p
}

// called notes calls of the handlers.
func (p *popped) called(all ...handlers.Type) {
	if p == nil {
		return
	}
	for _, t := range all {
		switch t {
		case handlers.Added:
			p.calls.Adds++
		case handlers.Updated:
			p.calls.Updates++
		case handlers.Deleted:
			p.calls.Deletes++
		}
	}
}

// handled notes that the handlers have returned.
func (i *insider) handled(p *popped) {
	if p == nil {
		return
	}
	took := i.clock.Since(p.began)
	i.handling = append(i.handling, took)
	i.engine.tellBefore(nil)
	if p.told && len(i.sum.Handlers) > 0 && p.calls.Adds+p.calls.Updates+p.calls.Deletes > 0 {
		p.calls.Handlers, p.calls.Initial, p.calls.Began, p.calls.Took = i.sum.Handlers, p.deltas.Initial, p.at, decision.Span(took)
		i.tellAt(p.at, &entry.Step{Part: entry.ProcessorPart, Source: entry.Modelled, Resource: i.sum.Resource, Did: entry.Called, Calls: &p.calls})
	}
	i.flush(p.at)
}

// typeOf is client-go's type of a queue.
func typeOf(q cache.Queue) string { return fmt.Sprintf("%T", q)[len("*cache."):] }
