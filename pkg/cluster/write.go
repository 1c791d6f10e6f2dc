package cluster

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Verb is what a request does.
type Verb string

// The verbs of requests that change something.
const (
	Create Verb = "create"
	Update Verb = "update"
	Patch  Verb = "patch"
	Delete Verb = "delete"
)

// Write is one request of a sync that changes something. A sync's Writes are in
// the order in which it makes them.
type Write struct {
	Verb Verb
	Kind view.Kind
	// Status: the request is for the status subresource.
	Status          bool
	Namespace, Name string
	// Generate: five characters are put behind Name, by the API server or by the
	// controller.
	Generate bool
	// Names are those of the first creations where they are known; Drawn is the
	// choice that they are of, nil where they are certain.
	Names []string
	Drawn *decision.Choice
	// Count is the number of identical creations, 0 for one.
	Count int
	// With is the number, from 1, of the sync's write that this one goes with, and
	// without which it is not made; 0 for none. Creations that go with those of Pods
	// are made before them, one for each, under names that end as theirs.
	With int
	// Object is the whole object as sent, nil for patches and deletions. Creations
	// of Pods share one.
	Object metav1.Object
	// Stored is the object as the API server stores it, nil for Object. It is handed
	// the object that the API server has, which it must not change, or a copy of
	// the one that is created, under its name.
	Stored func(now metav1.Object) metav1.Object
	// Patch is the body of a patch.
	Patch string
	// Rereads: where an update is refused because the object has changed, its writer
	// reads it from the API server and writes again.
	Rereads bool
	// Err is the answer that is predicted, nil for a write that is accepted.
	Err error
}

// Log are the requests of a sync, in its order. A nil Log keeps none.
type Log []Write

// Add returns the number of the request, from 1; 0 on a nil Log.
//
//go:noinline // it is called at many places
func (l *Log) Add(w Write) int {
	if l == nil {
		return 0
	}
	if n := len(*l); n >= 256 && n == cap(*l) { // append grows by a quarter from here on, and copies more often
		*l = slices.Grow(*l, n)
	}
	*l = append(*l, w)
	return len(*l)
}

// AddWith adds requests that go with the last of them, and returns its number.
func (l *Log) AddWith(all []Write) int {
	last := 0
	for _, w := range all {
		last = l.Add(w)
	}
	l.Join(len(all))
	return last
}

// Join lets the last n requests go with the last of them.
func (l *Log) Join(n int) {
	if l == nil {
		return
	}
	last := len(*l)
	for i := last - n; i < last-1; i++ {
		(*l)[i].With = last
	}
}

// After is the object as the API server has it once the write is accepted; now is
// the one that it has before.
//
//go:noinline // it is called at many places
func (w *Write) After(now metav1.Object) metav1.Object {
	if w.Stored != nil {
		return w.Stored(now)
	}
	return w.Object
}

// CommitAll makes the writes of a sync happen, but for those whose numbers are left
// out, and those that go with them. It returns the names of the objects that each
// created: none of one that created nothing, nil of one that was not made.
func (m *Model) CommitAll(writes []Write, left map[int]bool) (created [][]string) {
	created, with := make([][]string, len(writes)), map[int][]*Write{}
	for i := range writes {
		if w := &writes[i]; w.With > 0 && w.Verb == Create {
			with[w.With] = append(with[w.With], w)
		}
	}
	for i := range writes {
		w, n := &writes[i], i+1
		if left[n] || w.With > 0 && (left[w.With] || w.Verb == Create) {
			continue
		}
		created[i] = m.commit(w, with[n])
	}
	return created
}

// commit makes a write happen, and the creations that go with it.
func (m *Model) commit(w *Write, with []*Write) (created []string) {
	created = []string{}
	switch {
	case w.Err != nil:
	case w.Verb == Delete:
		m.delete(w)
	case w.Verb == Create:
		for i := range max(1, w.Count) {
			created = append(created, m.create(w, i, with))
		}
	default:
		m.update(w)
	}
	return created
}

func (m *Model) update(w *Write) {
	was, ok := m.Get(w.Kind, w.Namespace, w.Name)
	if !ok {
		return
	}
	obj := w.After(was)
	if obj == was {
		obj = view.Copy(was)
	}
	if p, pod := obj.(*corev1.Pod); pod && w.Status {
		vouch(p)
		judgePod(m, p)
	}
	obj.SetResourceVersion(was.GetResourceVersion())   // a request may leave it out
	pod := w.Kind.GroupKind() == view.Pods.GroupKind() // controllers write them to change them
	if !pod && equality.Semantic.DeepEqual(was, obj) {
		return
	}
	for _, see := range m.watches[w.Kind.GroupKind()] {
		see(was, obj)
	}
	m.Put(w.Kind, obj)
}

// Watch lets see know of each object of a kind that a write changes: was is the one
// before, and now the one that is stored next, which see may change.
func (m *Model) Watch(k view.Kind, see func(was, now metav1.Object)) {
	m.watches[k.GroupKind()] = append(m.watches[k.GroupKind()], see)
}

func (m *Model) delete(w *Write) {
	obj, ok := m.Get(w.Kind, w.Namespace, w.Name)
	switch {
	case !ok:
	case w.Kind.GroupKind() == view.Pods.GroupKind():
		deletePod(m, w.Namespace, w.Name)
	default:
		m.Drop(w.Kind, obj)
	}
}

// create makes the i-th creation of a write, and before it those that go with it.
func (m *Model) create(w *Write, i int, with []*Write) string {
	name := w.Name
	switch {
	case i < len(w.Names):
		name = w.Names[i]
	case w.Generate:
		name = m.newName(w.Namespace, w.Name)
	}
	for _, other := range with {
		m.put(other, other.Name+strings.TrimPrefix(name, w.Name))
	}
	m.put(w, name)
	return name
}

// put stores an object under its name, unless there is one. A Pod is stored as the
// API server, the scheduler and the kubelet leave it.
func (m *Model) put(w *Write, name string) {
	if _, taken := m.Get(w.Kind, w.Namespace, name); taken {
		return
	}
	obj := view.Copy(w.Object)
	obj.SetName(name)
	if w.Stored != nil {
		obj = w.Stored(obj)
		obj.SetName(name)
	}
	obj.SetGenerateName("")
	obj.SetUID(types.UID(name))
	obj.SetCreationTimestamp(m.stamp())
	if p, pod := obj.(*corev1.Pod); pod {
		m.launch(p)
		return
	}
	m.Put(w.Kind, obj)
}

// Charge makes the quotas count the Pods that a write creates, which are not made.
func (m *Model) Charge(w *Write) {
	if w.Err != nil || w.Verb != Create || w.Kind.GroupKind() != view.Pods.GroupKind() {
		return
	}
	if p, ok := w.After(view.Copy(w.Object)).(*corev1.Pod); ok {
		m.charge(p, int64(max(1, w.Count)))
	}
}

// charge makes the quotas of its namespace count a Pod, or no longer.
func (m *Model) charge(p *corev1.Pod, n int64) {
	m.quotas(p, func(q *corev1.ResourceQuota) bool { return admission.Charge(q, p, m.features, n, m.Now()) })
}

// release makes them count no longer what a Pod asks for that finalizers keep.
func (m *Model) release(p *corev1.Pod) {
	m.quotas(p, func(q *corev1.ResourceQuota) bool { return admission.Release(q, p, m.features) })
}

// quotas stores the quotas of a Pod's namespace that a change is about.
func (m *Model) quotas(p *corev1.Pod, change func(*corev1.ResourceQuota) bool) {
	for _, obj := range m.AllMetadata(view.ResourceQuotas) {
		q, ok := view.Decoded(obj).(*corev1.ResourceQuota)
		if !ok || q.Namespace != p.Namespace {
			continue
		}
		if q = q.DeepCopy(); change(q) {
			m.Put(view.ResourceQuotas, q)
		}
	}
}
