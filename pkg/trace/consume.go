package trace

import (
	"fmt"
	"slices"

	"k8s.io/client-go/tools/cache"
)

// consumer takes deltas off the queue of one feed and feeds the engine, as a shared informer
// does with its store and its handlers (processDeltas of tools/cache/controller.go, v0.37.1).
type consumer struct {
	*Follower
	feed  Feed
	store scoped
	seen  *sight
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
	for _, d := range deltas {
		if m, ok := markOf(d); ok {
			c.seen.confirm(m.at)
			continue
		}
		for _, d := range c.store.each(d) {
			c.take(c.feed.Need.Kind, d, initial)
		}
	}
	c.signal()
	return nil
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
