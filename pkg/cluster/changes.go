package cluster

import (
	"cmp"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// changes are the objects of one kind that changed, in the order in which each did
// first, with what they were before.
type changes struct {
	kind  view.Kind
	order []changed
	was   map[types.NamespacedName]metav1.Object
}

// changed is an object that did, as the place-th of all.
type changed struct {
	place int
	name  types.NamespacedName
}

func (m *Model) note(k view.Kind, name types.NamespacedName, was metav1.Object) {
	c, ok := m.changes[k.GroupKind()]
	if !ok {
		c = &changes{kind: k, was: map[types.NamespacedName]metav1.Object{}}
		m.changes[k.GroupKind()] = c
	}
	if _, known := c.was[name]; known {
		return
	}
	c.order, c.was[name] = append(c.order, changed{m.changed, name}), was
	m.changed++
}

// Changes returns what is other than when they were last asked for, as watches
// would bring it that are all as fast: several changes of one object are one.
func (m *Model) Changes() []Change {
	if m.changed == 0 {
		return nil
	}
	all := make([]Change, m.changed)
	for _, c := range m.changes {
		for _, at := range c.order {
			was := c.was[at.name]
			if now, there := m.Get(c.kind, at.name.Namespace, at.name.Name); there || was != nil {
				all[at.place] = Change{c.kind, was, now}
			}
		}
		c.order = c.order[:0]
		clear(c.was)
	}
	m.changed = 0
	return slices.DeleteFunc(all, func(c Change) bool { return c.Was == nil && c.Now == nil })
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
