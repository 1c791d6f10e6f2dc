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
	// syncing: a sync runs. What others look up is not noted.
	syncing bool
	// latest are those of the sync, more how many it made besides.
	latest []entry.Lookup
	more   int
	// counts are those of all syncs, for each index of a store.
	counts map[schema.GroupKind]map[string]*entry.Index
}

// byKey stands for an index where an object is looked up by its key.
const byKey = ""

func newLookups(i *Internals) *lookups {
	if i == nil {
		return nil
	}
	return &lookups{counts: map[schema.GroupKind]map[string]*entry.Index{}}
}

// begins and ends bound what a sync reads; goesOn is for more of the same sync.
func (l *lookups) begins() {
	if l != nil {
		l.syncing, l.latest, l.more = true, nil, 0
	}
}

func (l *lookups) goesOn() {
	if l != nil {
		l.syncing = true
	}
}

func (l *lookups) ends() {
	if l != nil {
		l.syncing = false
	}
}

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
	l.list(k.Resource, index, key, found)
}

// list puts a call on the list of the sync. The same one again is counted there, and so are
// all by key in one store.
func (l *lookups) list(resource, index, key string, found int) {
	for n := range l.latest {
		x := &l.latest[n]
		if x.Resource != resource || x.Index != index || index != byKey && x.Key != key {
			continue
		}
		if x.Calls++; x.Key != key { // several by key
			x.Key = ""
			x.Objects += found
		}
		return
	}
	if len(l.latest) == mostLookups {
		l.more++
		return
	}
	l.latest = append(l.latest, entry.Lookup{
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
	if c.lookups == nil || !c.lookups.syncing {
		return s
	}
	return noted{s, k, c.lookups}
}

// looked reports what the sync of a key has looked up.
func (e *Engine) looked(c *runner, key string) {
	l := e.cluster.lookups
	if l == nil || e.o.Brief || len(l.latest) == 0 {
		return
	}
	e.emit(&entry.Entry{Type: entry.Stepped, Step: &entry.Step{
		Part: entry.StorePart, Source: entry.ClientGo, Resource: c.of.Kind.Resource, Did: entry.LookedUp,
		Lookups: &entry.Lookups{Key: key, All: slices.Clone(l.latest), More: l.more},
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
