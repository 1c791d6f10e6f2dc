package cluster

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
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
	// Generate: the API server puts five characters behind Name.
	Generate bool
	// Count is the number of identical creations, 0 for one.
	Count int
	// Object is the whole object as sent, nil for patches and deletions. Creations
	// of Pods share one.
	Object metav1.Object
	// Stored is the object as the API server stores it, nil for Object.
	Stored func() metav1.Object
	// Patch is the body of a patch.
	Patch string
	// Err is the answer that is predicted, nil for a write that is accepted.
	Err error
}

// After is the object as the API server has it once the write is accepted.
func (w *Write) After() metav1.Object {
	if w.Stored != nil {
		return w.Stored()
	}
	return w.Object
}

// Commit makes a write happen. It returns the names of the objects that it
// created, and whether anything is other than before.
func (m *Model) Commit(w *Write) (created []string, changed bool) {
	switch {
	case w.Err != nil:
		return nil, false
	case w.Verb == Delete:
		return nil, m.delete(w)
	case w.Verb == Create && w.Kind.GroupKind() == view.Pods.GroupKind():
		for range max(1, w.Count) {
			created = append(created, m.createPod(w))
		}
		return created, true
	}
	obj := w.After()
	if was, ok := m.Get(w.Kind, w.Namespace, w.Name); ok && equality.Semantic.DeepEqual(was, obj) {
		return nil, false
	}
	if w.Verb == Create {
		obj.SetUID(types.UID(w.Name))
		obj.SetCreationTimestamp(m.Stamp())
		created = []string{w.Name}
	}
	m.Put(w.Kind, obj)
	return created, true
}

func (m *Model) delete(w *Write) bool {
	obj, ok := m.Get(w.Kind, w.Namespace, w.Name)
	switch {
	case !ok:
		return false
	case w.Kind.GroupKind() == view.Pods.GroupKind():
		DeletePod(m, w.Namespace, w.Name)
	default:
		m.Drop(w.Kind, obj)
	}
	return true
}

// createPod stores a Pod as the API server, the scheduler and the kubelet do.
func (m *Model) createPod(w *Write) string {
	name := w.Name
	if w.Generate {
		name = m.NewName(w.Namespace, w.Name)
	}
	sent, ok := w.After().(*corev1.Pod)
	if !ok {
		return name
	}
	StartPod(m, NewPod(m, name, sent))
	return name
}

// charge makes the quotas of its namespace count a Pod, or no longer.
func (m *Model) charge(p *corev1.Pod, n int64) {
	for _, obj := range m.All(view.ResourceQuotas) {
		q, ok := obj.(*corev1.ResourceQuota)
		if !ok || q.Namespace != p.Namespace {
			continue
		}
		if q = q.DeepCopy(); admission.Charge(q, p, m.features, n, m.Now()) {
			m.Put(view.ResourceQuotas, q)
		}
	}
}
