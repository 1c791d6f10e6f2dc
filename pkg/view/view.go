package view

import (
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// View is an immutable set of objects at one instant.
type View struct {
	now      time.Time
	stores   map[schema.GroupKind]*store
	coverage map[schema.GroupKind][]Read
	// closed Views were told what was read; open ones hold whatever their
	// files held, and take a kind as read when an object of it is there.
	closed bool
	// hypothetical Views hold objects that are not in the cluster.
	hypothetical bool
	notes        []Note
}

// Read is a Need that was tried. Err is nil when its objects are in the View.
type Read struct {
	Need
	Err error
}

// Note is a remark of the View's source that belongs on every answer, such as
// where now was taken from.
type Note struct {
	Code    string
	Message string
}

// Now is the instant that ages are measured at.
func (v *View) Now() time.Time { return v.now }

// Hypothetical tells whether objects were laid over what was read.
func (v *View) Hypothetical() bool { return v.hypothetical }

// Vouches tells whether the source said that it read the kind. Plain files hold
// what they happen to hold, unless an empty list says that there is no more.
func (v *View) Vouches(k Kind) bool {
	return v.closed || len(v.coverage[k.GroupKind()]) > 0
}

// Notes are the source's remarks.
func (v *View) Notes() []Note { return v.notes }

// Builder collects objects for a View. It is not safe for concurrent use.
type Builder struct{ v *View }

// NewBuilder starts a View that knows exactly what was read into it; see Reads.
func NewBuilder(now time.Time) *Builder {
	return &Builder{&View{now: now, closed: true, stores: map[schema.GroupKind]*store{}, coverage: map[schema.GroupKind][]Read{}}}
}

// NewOpenBuilder starts a View over files of unknown completeness.
func NewOpenBuilder(now time.Time) *Builder {
	b := NewBuilder(now)
	b.v.closed = false
	return b
}

// Add puts an object into the View. A full object replaces metadata of the
// same object, never the other way round; among full ones the last wins.
func (b *Builder) Add(k Kind, obj metav1.Object) {
	s := b.v.store(k.GroupKind())
	s.kind = k
	s.add(obj)
}

// Reads records that need was tried, with the error it met, if any.
func (b *Builder) Reads(need Need, err error) {
	gk := need.Kind.GroupKind()
	b.v.coverage[gk] = append(b.v.coverage[gk], Read{need, err})
}

// Note adds a remark for every answer.
func (b *Builder) Note(code, message string) {
	b.v.notes = append(b.v.notes, Note{code, message})
}

// View freezes what was collected. The Builder must not be used afterwards.
func (b *Builder) View() *View { return b.v }

func (v *View) store(gk schema.GroupKind) *store {
	s, ok := v.stores[gk]
	if !ok {
		s = &store{byKey: map[types.NamespacedName]metav1.Object{}}
		v.stores[gk] = s
	}
	return s
}

// With lays objects over the View: each replaces the one of its name or is
// added. The underlying View stays as it is.
func (v *View) With(k Kind, objs ...metav1.Object) *View {
	return v.Changed(k, objs, nil)
}

// All returns every object of a kind, ordered by namespace and name.
func (v *View) All(k Kind) []metav1.Object {
	s, ok := v.stores[k.GroupKind()]
	if !ok {
		return nil
	}
	return s.index().all
}

// Others lists the kinds besides Kinds that the View holds objects of.
func (v *View) Others() []Kind {
	var all []Kind
	for gk, s := range v.stores {
		if !slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.GroupKind() == gk }) && len(s.byKey) > 0 {
			all = append(all, s.kind)
		}
	}
	slices.SortFunc(all, func(a, b Kind) int { return strings.Compare(a.GroupResource(), b.GroupResource()) })
	return all
}

// store holds the objects of one kind. Indexes are built on first use: most
// kinds of most Views are never asked for more than one object.
type store struct {
	kind  Kind
	byKey map[types.NamespacedName]metav1.Object
	once  sync.Once
	ix    index
	// like is the order of a store that holds the same names, nil for none.
	like []metav1.Object
}

type index struct {
	all         []metav1.Object
	byNamespace map[string][]metav1.Object
	controlled  map[types.UID][]metav1.Object
	orphans     map[string][]metav1.Object
}

func keyOf(obj metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

func (s *store) add(obj metav1.Object) {
	key := keyOf(obj)
	if _, have := s.byKey[key]; have && !isFull(obj) {
		return
	}
	s.byKey[key] = obj
}

// isFull tells a whole object from its bare metadata.
func isFull(obj metav1.Object) bool {
	_, partial := obj.(*metav1.PartialObjectMetadata)
	return !partial
}

func (s *store) index() *index {
	s.once.Do(func() { s.ix = buildIndex(s.ordered()) })
	return &s.ix
}

// ordered lists the objects by namespace and name.
func (s *store) ordered() []metav1.Object {
	all := make([]metav1.Object, 0, len(s.byKey))
	if s.like != nil {
		for _, obj := range s.like {
			all = append(all, s.byKey[keyOf(obj)])
		}
		s.like = nil
		return all
	}
	for _, obj := range s.byKey {
		all = append(all, obj)
	}
	sort.Slice(all, func(i, j int) bool { return before(all[i], all[j]) })
	return all
}

func buildIndex(all []metav1.Object) index {
	ix := index{
		all:         all,
		byNamespace: map[string][]metav1.Object{},
		controlled:  map[types.UID][]metav1.Object{},
		orphans:     map[string][]metav1.Object{},
	}
	for _, obj := range ix.all {
		ns := obj.GetNamespace()
		ix.byNamespace[ns] = append(ix.byNamespace[ns], obj)
		if ref := metav1.GetControllerOfNoCopy(obj); ref != nil {
			ix.controlled[ref.UID] = append(ix.controlled[ref.UID], obj)
		} else {
			ix.orphans[ns] = append(ix.orphans[ns], obj)
		}
	}
	return ix
}

func before(a, b metav1.Object) bool {
	if a.GetNamespace() != b.GetNamespace() {
		return a.GetNamespace() < b.GetNamespace()
	}
	return a.GetName() < b.GetName()
}

// Meta is obj's metadata, or nil when it has none.
func Meta(obj runtime.Object) metav1.Object {
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil
	}
	return m
}
