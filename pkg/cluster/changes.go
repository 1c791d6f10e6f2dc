package cluster

import (
	"cmp"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Change is an object that is other than it was; one of Was and Now is nil where it
// is new or gone.
type Change struct {
	Kind     view.Kind
	Was, Now metav1.Object
}

// changes are the objects that changed, in the order in which each did first, with
// what they were before.
type changes struct {
	order []changed
	kinds map[schema.GroupKind]*before
}

type changed struct {
	*before
	name types.NamespacedName
}

// before is what the objects of one kind were.
type before struct {
	kind view.Kind
	was  map[types.NamespacedName]metav1.Object
}

func (c *changes) note(k view.Kind, name types.NamespacedName, was metav1.Object) {
	b, ok := c.kinds[k.GroupKind()]
	if !ok {
		b = &before{k, map[types.NamespacedName]metav1.Object{}}
		c.kinds[k.GroupKind()] = b
	}
	if _, known := b.was[name]; !known {
		c.order, b.was[name] = append(c.order, changed{b, name}), was
	}
}

// Changes returns what is other than when they were last asked for, as watches
// would bring it that are all as fast: several changes of one object are one.
func (m *Model) Changes() []Change {
	all := make([]Change, 0, len(m.changes.order))
	for _, c := range m.changes.order {
		was := c.was[c.name]
		if now, there := m.Get(c.kind, c.name.Namespace, c.name.Name); there || was != nil {
			all = append(all, Change{c.kind, was, now})
		}
	}
	m.changes.order = m.changes.order[:0]
	for _, b := range m.changes.kinds {
		clear(b.was)
	}
	return all
}

// newer is the resource version of the next write of an object, which may be nil: the
// one that who wrote it expects. Files may hold any text.
func (m *Model) newer(was metav1.Object) string {
	if m.version > 0 {
		m.version++
		return strconv.FormatUint(m.version, 10)
	}
	if was == nil {
		return "1"
	}
	return cmp.Or(expectations.NewerThan(was.GetResourceVersion()), "1")
}

// number numbers the writes from now on as the API server does, across all objects:
// memories compare what different ones lead to.
func (m *Model) number() {
	m.version = 1
	for _, k := range view.Kinds() {
		for _, obj := range m.AllMetadata(k) {
			if n, err := strconv.ParseUint(obj.GetResourceVersion(), 10, 64); err == nil {
				m.version = max(m.version, n)
			}
		}
	}
}
