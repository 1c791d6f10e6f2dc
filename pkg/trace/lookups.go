package trace

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostLookups bounds those that a step names.
const mostLookups = 20

// lookups notes what syncs look up in the stores; nil where it is not shown.
type lookups struct {
	// sync is that which reads now; nil for none. What others look up is not noted.
	sync *looked
	// counts are those of all syncs, for each index of a store.
	counts map[schema.GroupKind]map[string]*entry.Index
}

// looked are those of one sync, more how many it made besides.
type looked struct {
	all  []entry.Lookup
	more int
}

// byKey stands for an index where an object is looked up by its key.
const byKey = ""

func newLookups(i *Internals) *lookups {
	if i == nil {
		return nil
	}
	return &lookups{counts: map[schema.GroupKind]map[string]*entry.Index{}}
}

// begins and ends bound what a sync reads.
func (l *lookups) begins(sync *looked) {
	if l != nil {
		l.sync = sync
	}
}

func (l *lookups) ends() { l.begins(nil) }

// note takes down one call.
func (l *lookups) note(k view.Kind, index, key string, found int) {
	of := l.counts[k.GroupKind()]
	if of == nil {
		of = map[string]*entry.Index{}
		l.counts[k.GroupKind()] = of
	}
	count := of[index]
	if count == nil {
		count = &entry.Index{Name: index}
		of[index] = count
	}
	count.Lookups++
	count.Objects += found
	count.Most = max(count.Most, found)
	l.sync.list(k.Resource, index, key, found)
}

// list puts a call on the list of the sync. The same one again is counted there, and so are
// all by key in one store.
func (l *looked) list(resource, index, key string, found int) {
	for n := range l.all {
		x := &l.all[n]
		if x.Resource != resource || x.Index != index || index != byKey && x.Key != key {
			continue
		}
		if x.Calls++; x.Key != key { // several by key
			x.Key = ""
			x.Objects += found
		}
		return
	}
	if len(l.all) == mostLookups {
		l.more++
		return
	}
	l.all = append(l.all, entry.Lookup{
		Resource: resource, Index: index, Key: key, Objects: found, Calls: 1, Own: slices.Contains(ownIndexes, index),
	})
}

// noted is client-go's store, as a sync reads it.
type noted struct {
	cache.Indexer
	kind    view.Kind
	lookups *lookups
}

// ByIndex and the others are the calls that are noted.
func (n noted) ByIndex(index, key string) ([]any, error) {
	found, err := n.Indexer.ByIndex(index, key)
	n.lookups.note(n.kind, index, key, len(found))
	return found, err
}

// GetByKey uses no index.
func (n noted) GetByKey(key string) (obj any, found bool, err error) {
	obj, found, err = n.Indexer.GetByKey(key)
	there := 0
	if found {
		there = 1
	}
	n.lookups.note(n.kind, byKey, key, there)
	return obj, found, err
}

// List returns the whole store.
func (n noted) List() []any {
	found := n.Indexer.List()
	n.lookups.note(n.kind, entry.WholeStore, "", len(found))
	return found
}

// reads is the store of a kind, for those who look something up.
func (c *cluster) reads(k view.Kind) cache.Indexer {
	s := c.store(k)
	if c.lookups == nil || c.lookups.sync == nil {
		return s
	}
	return noted{s, k, c.lookups}
}

// looked reports what a sync has looked up.
func (e *Engine) looked(f *flight) {
	if e.cluster.lookups == nil || e.o.Brief || len(f.looked.all) == 0 {
		return
	}
	e.emit(&entry.Entry{Type: entry.Stepped, Step: &entry.Step{
		Part: entry.StorePart, Source: entry.ClientGo, Resource: f.c.of.Kind.Resource, Did: entry.LookedUp,
		Lookups: &entry.Lookups{Key: f.key, All: f.looked.all, More: f.looked.more},
	}})
}

// sums are what is in the stores, and what syncs have looked up there, by resource.
func (c *cluster) sums() []entry.Store {
	var out []entry.Store
	kinds := slices.Collect(maps.Keys(c.stores))
	sort.Slice(kinds, func(i, j int) bool { return byName(kinds[i], kinds[j]) < 0 })
	for _, gk := range kinds {
		s, counts := c.stores[gk], c.lookups.counts[gk]
		sum := entry.Store{Resource: c.kinds[gk].Resource, Objects: len(s.ListKeys())}
		for _, name := range slices.Sorted(maps.Keys(s.GetIndexers())) {
			x := entry.Index{Name: name}
			if counted := counts[name]; counted != nil {
				x = *counted
			}
			x.Keys, x.Own = len(s.ListIndexFuncValues(name)), slices.Contains(ownIndexes, name)
			sum.Indexes = append(sum.Indexes, x)
		}
		if x := counts[byKey]; x != nil {
			sum.ByKey = x.Lookups
		}
		if x := counts[entry.WholeStore]; x != nil {
			sum.Whole = x.Lookups
		}
		out = append(out, sum)
	}
	return out
}

func byName(a, b schema.GroupKind) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Group, b.Group))
}
