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
	return c.batch(deltas, initial)
}

func (c consumer) batch(deltas []cache.Delta, initial bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.now()
	deltas, marks := unmarked(deltas)
	var all []cache.Delta
	for _, d := range deltas {
		all = append(all, c.store.each(d)...) // a list comes alone
	}
	p := c.inside.pops(at, c.queue, deltas, all, initial)
	for _, d := range all {
		c.take(at, d, initial, p)
	}
	for _, m := range marks {
		c.seen.confirm(m.at)
	}
	c.inside.handled(p)
	c.signal()
	return nil
}

// take feeds a delta of one object.
func (c consumer) take(at time.Time, d cache.Delta, initial bool, p *popped) {
	if delta, ok := deltaOf(c.feed.Need.Kind, d, initial); ok {
		p.called(c.engine.Feed(at, delta))
		c.record.delta(at, delta) // behind what is said of it before
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
