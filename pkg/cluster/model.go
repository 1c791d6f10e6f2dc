package cluster

import (
	"container/heap"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Model is a View that changes with time.
type Model struct {
	view *view.View
	// version is that of the latest write, 0 where each object's are numbered by
	// themselves.
	version uint64
	// clock is the Model whose time it is, for a Cache.
	clock *Model
	// features are those of the API server.
	features admission.Features
	// instant is when the latest event happened, now when the controller looks.
	start, instant, now time.Time
	readyAfter          time.Duration
	dirty               map[schema.GroupKind]*layer
	agenda              agenda
	// begun counts the Pods of the start that an assumption is about, by its rule.
	begun map[string]int
	// evictedIn is after how long taints delete the last of the Pods of the start that they do.
	evictedIn time.Duration
	made      map[types.NamespacedName]bool
	names     map[string]int
	notes     []decision.Ruling
	stuck     []string
	// failing are Pods of the start that new ones may be like.
	failing []*corev1.Pod
	// unclassed are those with a volume claim whose StorageClass is not there.
	unclassed []*corev1.Pod
	// broken are the Pods of the start that are assumed to stay unready.
	broken    map[types.NamespacedName]assumed
	missing   missingClasses
	places    vacancies
	nodes     nodes
	rejected  rejected
	lacks     lacks
	freed     bool
	followers []func()
	changes   changes
	watches   map[schema.GroupKind][]func(was, now metav1.Object)
}

// assumed is a Pod of the start to which the rule of an assumption applies.
type assumed struct {
	uid  types.UID
	rule string
}

// layer are the changes to one kind that the View does not have yet.
type layer struct {
	kind    view.Kind
	objects map[types.NamespacedName]metav1.Object // nil for one that is gone
}

// New is the model of a cluster as the View shows it.
func New(v *view.View, f admission.Features) *Model {
	return &Model{
		features: f,
		view:     v.Carrying(), start: v.Now(), instant: v.Now(), now: v.Now(),
		dirty: map[schema.GroupKind]*layer{}, begun: map[string]int{}, missing: missingClasses{}, made: map[types.NamespacedName]bool{}, broken: map[types.NamespacedName]assumed{}, names: map[string]int{},
		watches: map[schema.GroupKind][]func(was, now metav1.Object){}, changes: changes{kinds: map[schema.GroupKind]*before{}},
	}
}

// Now is the virtual clock.
func (m *Model) Now() time.Time {
	if m.clock != nil {
		return m.clock.now
	}
	return m.now
}

// stamp is now as the API server stores it, to the second.
//
//go:noinline // it is called at many places
func (m *Model) stamp() metav1.Time { return metav1.Time{Time: m.now.Truncate(time.Second)} }

// Start is when the clock started.
func (m *Model) Start() time.Time { return m.start }

// Instant is when the latest event happened.
func (m *Model) Instant() time.Time { return m.instant }

// ReadyAfter is how long a pod takes to become ready.
func (m *Model) ReadyAfter() time.Duration { return m.readyAfter }

// SetReadyAfter says how long each pod takes to become ready.
func (m *Model) SetReadyAfter(d time.Duration) { m.readyAfter = d }

// Get is an object as it is now. It must not be changed: put a copy.
func (m *Model) Get(k view.Kind, namespace, name string) (metav1.Object, bool) {
	if l, ok := m.dirty[k.GroupKind()]; ok {
		if obj, ok := l.objects[types.NamespacedName{Namespace: namespace, Name: name}]; ok {
			return obj, obj != nil
		}
	}
	return m.view.Held(k, namespace, name)
}

// Put stores an object, a new one or one in place of another, under a newer
// resource version than that has.
func (m *Model) Put(k view.Kind, obj metav1.Object) {
	was, _ := m.Get(k, obj.GetNamespace(), obj.GetName())
	obj.SetResourceVersion(m.newer(was))
	m.changes.note(k, key(obj), was)
	m.layer(k).objects[key(obj)] = obj
}

// Drop removes an object for good.
func (m *Model) Drop(k view.Kind, obj metav1.Object) {
	was, _ := m.Get(k, obj.GetNamespace(), obj.GetName())
	m.changes.note(k, key(obj), was)
	m.layer(k).objects[key(obj)] = nil
}

func key(obj metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

func (m *Model) layer(k view.Kind) *layer {
	l, ok := m.dirty[k.GroupKind()]
	if !ok {
		l = &layer{k, map[types.NamespacedName]metav1.Object{}}
		m.dirty[k.GroupKind()] = l
	}
	return l
}

// In lists the metadata of the objects of a kind in a namespace, ordered by name.
func (m *Model) In(k view.Kind, namespace string) []metav1.Object {
	var in []metav1.Object
	for _, obj := range m.AllMetadata(k) {
		if obj.GetNamespace() == namespace {
			in = append(in, obj)
		}
	}
	return in
}

// AllMetadata lists the metadata of every object of a kind, ordered by namespace
// and name.
func (m *Model) AllMetadata(k view.Kind) []metav1.Object {
	m.bring(k.GroupKind())
	return m.view.AllMetadata(k)
}

// View is the Model as it is now.
func (m *Model) View() *view.View {
	for gk := range m.dirty {
		m.bring(gk)
	}
	m.view = m.view.At(m.Now())
	return m.view
}

// bring brings the changes to one kind into the View.
func (m *Model) bring(gk schema.GroupKind) {
	l, ok := m.dirty[gk]
	if !ok {
		return
	}
	var put, dropped []metav1.Object
	for name, obj := range l.objects {
		if obj != nil {
			put = append(put, obj)
		} else {
			dropped = append(dropped, &metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name})
		}
	}
	m.view = m.view.Changed(l.kind, put, dropped)
	delete(m.dirty, gk)
}

// newName makes up a name for an object that is created, such as web-<new 1>.
func (m *Model) newName(namespace, prefix string) string {
	m.names[prefix]++
	name := fmt.Sprintf("%s<new %d>", prefix, m.names[prefix])
	m.made[types.NamespacedName{Namespace: namespace, Name: name}] = true
	return name
}

// NamesMade reports whether it made up any name.
func (m *Model) NamesMade() bool { return len(m.names) > 0 }

// Made reports whether the name is one that newName made up.
func (m *Model) Made(namespace, name string) bool {
	return m.made[types.NamespacedName{Namespace: namespace, Name: name}]
}

// After lets something happen when d has passed; at once, when it has already.
func (m *Model) After(d time.Duration, what func()) {
	heap.Push(&m.agenda, event{m.instant.Add(max(d, 0)), len(m.agenda.all) + m.agenda.popped, what})
}

// Follow lets what others do to the Model happen whenever something has: after
// events, and after the writes of a sync.
func (m *Model) Follow(what func()) { m.followers = append(m.followers, what) }

// Settle lets the followers act on what was written.
func (m *Model) Settle() {
	for _, what := range m.followers {
		what()
	}
}

// Note puts an assumption on record, each once.
//
//go:noinline // it is called at many places
func (m *Model) Note(r decision.Ruling) {
	if m.noted(r.Rule) < 0 {
		m.notes = append(m.notes, r)
	}
}

// renote puts an assumption on record in place of what was said before by its rule.
func (m *Model) renote(r decision.Ruling) {
	if i := m.noted(r.Rule); i >= 0 {
		m.notes[i] = r
		return
	}
	m.notes = append(m.notes, r)
}

//go:noinline // it is called at many places
func (m *Model) noted(rule string) int {
	return slices.IndexFunc(m.notes, func(n decision.Ruling) bool { return n.Rule == rule })
}

// Notes are the assumptions on record.
func (m *Model) Notes() []decision.Ruling { return m.notes }
