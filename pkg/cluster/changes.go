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
	was   map[changed]before
}

type changed struct {
	kind schema.GroupKind
	name types.NamespacedName
}

type before struct {
	kind view.Kind
	obj  metav1.Object
}

func (c *changes) note(k view.Kind, name types.NamespacedName, was metav1.Object) {
	at := changed{k.GroupKind(), name}
	if _, known := c.was[at]; known {
		return
	}
	if c.was == nil {
		c.was = map[changed]before{}
	}
	c.order, c.was[at] = append(c.order, at), before{k, was}
}

// Changes returns what is other than when they were last asked for, as watches
// would bring it that are all as fast: several changes of one object are one.
func (m *Model) Changes() []Change {
	var all []Change
	for _, at := range m.changes.order {
		b := m.changes.was[at]
		now, there := m.Get(b.kind, at.name.Namespace, at.name.Name)
		if there || b.obj != nil {
			all = append(all, Change{b.kind, b.obj, now})
		}
	}
	m.changes = changes{}
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
