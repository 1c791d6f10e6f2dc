package simulate

import (
	"container/heap"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// World is a View that changes with time.
type World struct {
	view *view.View
	// instant is when the latest event happened, now when the controller looks.
	start, instant, now time.Time
	readyAfter          time.Duration
	dirty               map[schema.GroupKind]*layer
	events              events
	made                map[types.NamespacedName]bool
	names               map[string]int
	notes               []decision.Ruling
	followers           []func()
}

// layer are the changes to one kind that the View does not have yet.
type layer struct {
	kind    view.Kind
	objects map[types.NamespacedName]metav1.Object // nil for one that is gone
}

func newWorld(v *view.View) *World {
	return &World{
		view: v, start: v.Now(), instant: v.Now(), now: v.Now(),
		dirty: map[schema.GroupKind]*layer{}, made: map[types.NamespacedName]bool{}, names: map[string]int{},
	}
}

// Now is the virtual clock.
func (w *World) Now() time.Time { return w.now }

// Stamp is now as the API server stores it, to the second.
func (w *World) Stamp() metav1.Time { return metav1.Time{Time: w.now.Truncate(time.Second)} }

// ReadyAfter is how long a pod takes to become ready.
func (w *World) ReadyAfter() time.Duration { return w.readyAfter }

// Get is an object as it is now. It must not be changed: put a copy.
func (w *World) Get(k view.Kind, namespace, name string) (metav1.Object, bool) {
	if l, ok := w.dirty[k.GroupKind()]; ok {
		if obj, ok := l.objects[types.NamespacedName{Namespace: namespace, Name: name}]; ok {
			return obj, obj != nil
		}
	}
	return w.view.Held(k, namespace, name)
}

// Put stores an object, a new one or one in place of another.
func (w *World) Put(k view.Kind, obj metav1.Object) { w.layer(k).objects[key(obj)] = obj }

// Drop removes an object for good.
func (w *World) Drop(k view.Kind, obj metav1.Object) { w.layer(k).objects[key(obj)] = nil }

func key(obj metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

func (w *World) layer(k view.Kind) *layer {
	l, ok := w.dirty[k.GroupKind()]
	if !ok {
		l = &layer{k, map[types.NamespacedName]metav1.Object{}}
		w.dirty[k.GroupKind()] = l
	}
	return l
}

// All lists every object of a kind, ordered by namespace and name.
func (w *World) All(k view.Kind) []metav1.Object {
	w.bring(k.GroupKind())
	return w.view.All(k)
}

// View is the World as it is now.
func (w *World) View() *view.View {
	for gk := range w.dirty {
		w.bring(gk)
	}
	w.view = w.view.At(w.now)
	return w.view
}

// bring brings the changes to one kind into the View.
func (w *World) bring(gk schema.GroupKind) {
	l, ok := w.dirty[gk]
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
	w.view = w.view.Changed(l.kind, put, dropped)
	delete(w.dirty, gk)
}

// New makes up a name for an object that is created, such as web-<new 1>.
func (w *World) New(namespace, prefix string) string {
	w.names[prefix]++
	name := fmt.Sprintf("%s<new %d>", prefix, w.names[prefix])
	w.made[types.NamespacedName{Namespace: namespace, Name: name}] = true
	return name
}

// After lets something happen when d has passed; at once, when it has already.
func (w *World) After(d time.Duration, what func()) {
	heap.Push(&w.events, event{w.instant.Add(max(d, 0)), len(w.events.all) + w.events.popped, what})
}

// Follow lets what others do to the World happen whenever something has: after
// events, and after the writes of a sync.
func (w *World) Follow(what func()) { w.followers = append(w.followers, what) }

func (w *World) follow() {
	for _, what := range w.followers {
		what()
	}
}

// Note puts an assumption on record, each once.
func (w *World) Note(r decision.Ruling) {
	for i := range w.notes {
		if w.notes[i].Rule == r.Rule {
			return
		}
	}
	w.notes = append(w.notes, r)
}
