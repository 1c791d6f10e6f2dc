package trace

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

// consumer takes deltas off the queue of one feed and feeds the engine, as a shared informer
// does with its store and its handlers (processDeltas of tools/cache/controller.go, v0.37.1).
type consumer struct {
	*Follower
	feed  Feed
	store scoped
	seen  *sight
	// inside notes what happens, with the times of the queue; nil for nobody.
	inside *insider
	queue  *timed
}

// one is for queues that hand out the deltas of one object, batch for those that hand out
// deltas of several.
func (c consumer) one(obj any, initial bool) error {
	deltas, ok := obj.(cache.Deltas)
	if !ok {
		return fmt.Errorf("%T is no list of deltas", obj)
	}
	return c.consume(deltas, initial, false)
}

func (c consumer) batch(deltas []cache.Delta, initial bool) error {
	return c.consume(deltas, initial, true)
}

// consume takes in deltas that were handed out at once, in one step or one after the other.
func (c consumer) consume(deltas []cache.Delta, initial, atOnce bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.now()
	deltas, marks := unmarked(deltas)
	c.queue.popped(deltas, marks)
	var all []cache.Delta
	for _, d := range deltas {
		all = append(all, c.store.each(d)...) // a list comes alone
	}
	p := c.inside.pops(at, c.queue, deltas, all, initial)
	c.take(at, all, initial, atOnce || whole(deltas), p)
	c.ends(overfull(c.engine.cluster.bytes))
	c.store.bookmark(deltas)
	for _, m := range marks {
		c.seen.takes(m)
	}
	c.inside.handled(p)
	c.rouse()
	c.signal()
	return nil
}

// whole reports whether deltas are those of a list that the queue hands out as one.
func whole(deltas []cache.Delta) bool { return len(deltas) == 1 && deltas[0].Type == cache.ReplacedAll }

// take feeds deltas of single objects. Of those that are taken in at once, the store has all
// before handlers are called (processReplacedAllInfo and processDeltasInBatch).
func (c consumer) take(at time.Time, all []cache.Delta, initial, atOnce bool, p *popped) {
	var group []Delta
	for _, d := range all {
		if delta, ok := deltaOf(c.feed.Need.Kind, d, initial); ok {
			group = append(group, delta)
			c.detect(delta)
		}
	}
	step := max(len(group), 1)
	if !atOnce {
		step = 1
	}
	for some := range slices.Chunk(group, step) {
		p.called(c.engine.Feed(at, some...)...)
		c.record.deltas(at, some) // behind what is said of them before
	}
}

// unmarked takes the marks out of some deltas.
func unmarked(deltas []cache.Delta) (others []cache.Delta, marks []*mark) {
	for n, d := range deltas {
		m, ok := markOf(d)
		switch {
		case ok && marks == nil:
			others, marks = slices.Clone(deltas[:n]), []*mark{m}
		case ok:
			marks = append(marks, m)
		case marks != nil:
			others = append(others, d)
		}
	}
	if marks == nil {
		return deltas, nil
	}
	return others, marks
}

// paged hears of each page of a list.
func (c consumer) paged(p live.Page) {
	c.seen.progresses()
	if c.inside != nil {
		c.inside.paged(p)
	}
}

// each lists the deltas of single objects that a delta stands for.
func (s scoped) each(d cache.Delta) []cache.Delta {
	switch info := d.Object.(type) {
	case cache.ReplacedAllInfo:
		return s.replaced(info.Objects)
	case cache.SyncAllInfo:
		return s.synced()
	case cache.BookmarkInfo:
		return nil
	}
	return []cache.Delta{d}
}

// bookmark tells the store which resource version it is up to, where its queue says that.
func (s scoped) bookmark(deltas []cache.Delta) {
	for _, d := range deltas {
		switch info := d.Object.(type) {
		case cache.ReplacedAllInfo:
			s.Bookmark(info.ResourceVersion)
		case cache.BookmarkInfo:
			s.Bookmark(info.ResourceVersion)
		}
	}
}

// replaced deletes what a list lacks, each with a tombstone, and replaces what it has.
func (s scoped) replaced(list []any) []cache.Delta {
	var all []cache.Delta
	listed := map[string]bool{}
	for _, obj := range list {
		if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
			listed[key] = true
		}
	}
	for _, key := range slices.Sorted(slices.Values(s.ListKeys())) {
		if obj, ok, err := s.GetByKey(key); ok && err == nil && !listed[key] {
			all = append(all, cache.Delta{Type: cache.Deleted, Object: cache.DeletedFinalStateUnknown{Key: key, Obj: obj}})
		}
	}
	for _, obj := range list {
		all = append(all, cache.Delta{Type: cache.Replaced, Object: obj})
	}
	return all
}

// synced hands out all objects again.
func (s scoped) synced() (all []cache.Delta) {
	for _, key := range slices.Sorted(slices.Values(s.ListKeys())) {
		if obj, ok, err := s.GetByKey(key); ok && err == nil {
			all = append(all, cache.Delta{Type: cache.Sync, Object: obj})
		}
	}
	return all
}
