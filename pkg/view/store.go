package view

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// store holds the objects of one kind: those that were collected in a map, and
// those of a View laid over another in the order of their names, which is found
// without a map. Indexes are built on first use: most kinds of most Views are
// never asked for more than one object.
type store struct {
	kind Kind
	// byKey is where an object is among those that arrived, nil when ordered.
	byKey   map[types.NamespacedName]int
	arrived []metav1.Object
	ordered []metav1.Object
	// laid is how many objects changes laid over those that were read.
	laid int
	// known: some were there before changes, that may have dropped the last.
	known bool
	once  sync.Once
	ix    index
	// labelled finds its objects by their labels.
	labelled labelled
}

func newStore() *store {
	return &store{byKey: map[types.NamespacedName]int{}}
}

func keyOf(obj metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

func (s *store) add(obj metav1.Object) {
	key := keyOf(obj)
	i, have := s.byKey[key]
	switch {
	case !have:
		s.byKey[key] = len(s.arrived)
		s.arrived = append(s.arrived, obj)
	case isFull(obj):
		s.arrived[i] = obj
	}
}

// isFull tells a whole object from its bare metadata.
func isFull(obj metav1.Object) bool {
	_, partial := obj.(*metav1.PartialObjectMetadata)
	return !partial
}

func (s *store) get(key types.NamespacedName) (metav1.Object, bool) {
	if s.byKey != nil {
		i, ok := s.byKey[key]
		if !ok {
			return nil, false
		}
		return s.arrived[i], true
	}
	i, ok := slices.BinarySearchFunc(s.ordered, key, compareTo)
	if !ok {
		return nil, false
	}
	return s.ordered[i], true
}

func (s *store) size() int { return max(len(s.byKey), len(s.ordered)) }

// holds reports whether there are objects, or were before changes.
func (s *store) holds() bool { return s.known || s.size() > 0 }

func (s *store) index() *index {
	s.once.Do(func() {
		all := s.ordered
		if s.byKey != nil {
			all = slices.Clone(s.arrived)
			// Lists arrive in order, and a stable sort merges them with few comparisons.
			sort.SliceStable(all, func(i, j int) bool { return compareTo(all[i], keyOf(all[j])) < 0 })
		}
		s.ix = buildIndex(all)
	})
	return &s.ix
}

// within are the objects of a namespace, of all namespaces when it is empty.
func (s *store) within(namespace string) []metav1.Object {
	if namespace == "" {
		return s.index().all
	}
	return s.index().byNamespace[namespace]
}

// changed is a store with other objects: those of changes, and none of a name
// that has nil there.
func (s *store) changed(k Kind, changes map[types.NamespacedName]metav1.Object) *store {
	var old []metav1.Object
	laid, known := 0, false
	if s != nil {
		old, laid, known = s.index().all, s.laid, s.holds()
	}
	names := make([]types.NamespacedName, 0, len(changes))
	for name := range changes {
		names = append(names, name)
	}
	if len(names) > 1 {
		sort.Slice(names, func(i, j int) bool { return compareNames(names[i], names[j]) < 0 })
	}
	all := make([]metav1.Object, 0, len(old)+len(names))
	for _, name := range names {
		at, held := slices.BinarySearchFunc(old, name, compareTo)
		all = append(all, old[:at]...)
		if obj := changes[name]; obj != nil {
			all = append(all, obj)
			laid++
		}
		if held {
			at++
		}
		old = old[at:]
	}
	return &store{kind: k, ordered: append(all, old...), laid: laid, known: known}
}

func compareTo(obj metav1.Object, name types.NamespacedName) int {
	return compareNames(keyOf(obj), name)
}

func compareNames(a, b types.NamespacedName) int {
	if a.Namespace != b.Namespace {
		return cmp.Compare(a.Namespace, b.Namespace)
	}
	return cmp.Compare(a.Name, b.Name)
}
