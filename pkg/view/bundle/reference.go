package bundle

import (
	"sync"
	"weak"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// maxRecent bounds, by the estimate of weight, the decoded objects that stay though
// nobody has them: the next question often asks for the same.
const maxRecent = 512 << 20

// recent holds objects that were decoded lately.
type recent struct {
	mu     sync.Mutex
	held   []metav1.Object
	weight int
}

// keep holds one more object. When there is no room for it, those before it are
// let go of.
func (r *recent) keep(obj metav1.Object, weight int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.weight += weight; r.weight > maxRecent {
		r.held, r.weight = nil, weight
	}
	r.held = append(r.held, obj)
}

// reference finds an object as long as somebody has it.
type reference struct{ find func() metav1.Object }

func (r *reference) object() metav1.Object {
	if r == nil {
		return nil
	}
	return r.find()
}

// referTo is a weak reference to an object of a kind of which there may be many,
// and one that holds it to any other.
func referTo(obj metav1.Object) *reference {
	switch o := obj.(type) {
	case *corev1.Pod:
		return weakly(o)
	case *corev1.Event:
		return weakly(o)
	case *corev1.PersistentVolumeClaim:
		return weakly(o)
	case *appsv1.ReplicaSet:
		return weakly(o)
	case *appsv1.ControllerRevision:
		return weakly(o)
	case *unstructured.Unstructured:
		return weakly(o)
	}
	return &reference{func() metav1.Object { return obj }}
}

func weakly[T any, P interface {
	*T
	metav1.Object
}](obj P) *reference {
	to := weak.Make((*T)(obj))
	return &reference{func() metav1.Object {
		if held := to.Value(); held != nil {
			return P(held)
		}
		return nil
	}}
}
