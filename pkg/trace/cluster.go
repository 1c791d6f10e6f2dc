package trace

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// cluster is what the informers have told so far, in client-go's stores.
type cluster struct {
	stores map[schema.GroupKind]cache.Indexer
	kinds  map[schema.GroupKind]view.Kind
	// failed are the needs that are not read, by feedKey, and why.
	failed map[string]error
	// pods is the index of Pods that the release has; ownsPods: some controllers find theirs
	// by that of this package.
	pods     *podIndex
	ownsPods bool
	// lookups notes what syncs look up; nil where it is not shown.
	lookups *lookups
	// bytes is about how much memory the objects take.
	bytes int64
	// narrowest are labels by namespace and selector.
	narrowest map[string]narrowest
}

func newCluster(o Options) *cluster {
	c := &cluster{
		stores: map[schema.GroupKind]cache.Indexer{}, kinds: map[schema.GroupKind]view.Kind{}, failed: map[string]error{},
		lookups: newLookups(o.Internals), narrowest: map[string]narrowest{},
	}
	release := podIndexOf(o.Profile.Kubernetes)
	for _, r := range o.Controllers {
		if x := release.finds(r); x != nil {
			c.pods = x
		} else {
			c.ownsPods = true
		}
	}
	return c
}

// store is that of a kind; it is made when it is first asked for.
func (c *cluster) store(k view.Kind) cache.Indexer {
	gk := k.GroupKind()
	if s, ok := c.stores[gk]; ok {
		return s
	}
	s := cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, c.indexers(k))
	c.stores[gk], c.kinds[gk] = s, k
	return s
}

// holds reports whether anything in a namespace is read.
func (c *cluster) holds(namespace string) bool {
	for gk := range c.stores {
		if k := c.kinds[gk]; k.Namespaced && len(c.by(k, byNamespace, namespace)) > 0 {
			return true
		}
	}
	return false
}

// follows reports whether a kind is read.
func (c *cluster) follows(k view.Kind) bool {
	_, made := c.stores[k.GroupKind()]
	return made
}

// apply takes a delta into the store and returns the state before it. Neither a missed deletion
// nor what is handed out again says which resource version the store is up to.
func (c *cluster) apply(d Delta) (was metav1.Object) {
	s := c.store(d.Kind)
	was, _ = c.Get(d.Kind, d.Object.GetNamespace(), d.Object.GetName())
	c.bytes -= sizeOf(was)
	if !d.Tombstone && d.Type != cache.Deleted {
		c.bytes += sizeOf(d.Object)
	}
	switch { // errors are those of the key function, which has none here
	case d.Tombstone:
		_ = s.Delete(cache.DeletedFinalStateUnknown{Key: cache.MetaObjectToName(d.Object).String(), Obj: d.Object})
	case d.Type == cache.Deleted:
		_ = s.Delete(d.Object)
	case d.Type != cache.Sync || was != d.Object:
		_ = s.Update(d.Object)
	}
	return was
}

// Get finds an object by name.
func (c *cluster) Get(k view.Kind, namespace, name string) (metav1.Object, bool) {
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	obj, ok, err := c.reads(k).GetByKey(key)
	if !ok || err != nil {
		return nil, false
	}
	m, ok := obj.(metav1.Object)
	return m, ok
}

// In lists the objects of a kind in a namespace, of all when it is empty.
func (c *cluster) In(k view.Kind, namespace string) []metav1.Object {
	if namespace == "" {
		return metas(c.reads(k).List())
	}
	return c.by(k, byNamespace, namespace)
}

func (c *cluster) by(k view.Kind, index, key string) []metav1.Object {
	found, err := c.reads(k).ByIndex(index, key)
	if err != nil {
		return nil
	}
	return metas(found)
}

func metas(all []any) []metav1.Object {
	out := make([]metav1.Object, 0, len(all))
	for _, obj := range all {
		if m, ok := obj.(metav1.Object); ok {
			out = append(out, m)
		}
	}
	return out
}

// selected lists the pods of a namespace that a selector matches, from the
// smallest index that its terms have.
func (c *cluster) selected(k view.Kind, namespace string, sel labels.Selector) []metav1.Object {
	var out []metav1.Object
	for _, obj := range c.candidates(k, namespace, sel) {
		if sel.Matches(labels.Set(obj.GetLabels())) {
			out = append(out, obj)
		}
	}
	return out
}

func (c *cluster) candidates(k view.Kind, namespace string, sel labels.Selector) []metav1.Object {
	if k.GroupKind() != view.Pods.GroupKind() || namespace == "" {
		return c.In(k, namespace)
	}
	requirements, _ := sel.Requirements()
	if len(requirements) == 1 {
		if value, one := view.OneValue(requirements[0]); one {
			return c.by(k, byLabel, labelKey(namespace, requirements[0].Key(), value))
		}
	}
	return c.fewest(k, namespace, sel.String(), requirements)
}

// narrowest is the label that fewest Pods have of those that a selector asks for, and how
// many had it when that was found out.
type narrowest struct {
	label string
	pods  int
}

// mostNarrowest is of how many selectors that is kept.
const mostNarrowest = 1 << 14

// fewest are the Pods of a namespace with the label that fewest have of those that a
// selector asks for. To find that out takes long where thousands share a label: it is done
// again when there are many more.
func (c *cluster) fewest(k view.Kind, namespace, selector string, requirements labels.Requirements) []metav1.Object {
	id := namespace + "/" + selector
	if known, ok := c.narrowest[id]; ok {
		if pods := c.by(k, byLabel, known.label); len(pods) <= 2*known.pods+slack {
			return pods
		}
	}
	best := narrowest{}
	for _, r := range requirements {
		value, one := view.OneValue(r)
		if !one {
			continue
		}
		label := labelKey(namespace, r.Key(), value)
		pods, err := c.store(k).ByIndex(byLabel, label)
		if err == nil && (best.label == "" || len(pods) < best.pods) {
			best = narrowest{label, len(pods)}
		}
	}
	if best.label == "" {
		return c.In(k, namespace)
	}
	if len(c.narrowest) >= mostNarrowest {
		clear(c.narrowest)
	}
	c.narrowest[id] = best
	return c.by(k, byLabel, best.label)
}

// slack is by how many Pods a label may grow before others are looked at again.
const slack = 16
