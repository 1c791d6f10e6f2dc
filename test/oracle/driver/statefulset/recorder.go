package statefulset

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/statefulset/contract"
)

// recorder is a record.EventRecorder that writes down what is recorded.
type recorder struct {
	mu     sync.Mutex
	events []contract.Event
}

func (r *recorder) take() []contract.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := append([]contract.Event{}, r.events...)
	r.events = nil
	return events
}

// Event is that of a StatefulSet.
func (r *recorder) Event(_ runtime.Object, kind, reason, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, contract.Event{Type: kind, Reason: reason, Message: message})
}

// Eventf and AnnotatedEventf are Events.
func (r *recorder) Eventf(obj runtime.Object, kind, reason, format string, args ...any) {
	r.Event(obj, kind, reason, fmt.Sprintf(format, args...))
}
func (r *recorder) AnnotatedEventf(obj runtime.Object, _ map[string]string, kind, reason, format string, args ...any) {
	r.Eventf(obj, kind, reason, format, args...)
}
