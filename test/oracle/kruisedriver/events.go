package kruisedriver

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// eventRecorder is a record.EventRecorder that keeps events in order.
type eventRecorder struct {
	mu     sync.Mutex
	events []contract.Event
}

func (r *eventRecorder) begin() { r.events = nil }

func (r *eventRecorder) Event(object runtime.Object, eventType, reason, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	event := contract.Event{Object: kindOf(object), Type: eventType, Reason: reason, Message: message}
	if o, ok := object.(client.Object); ok {
		event.Object += "/" + o.GetName()
	}
	r.events = append(r.events, event)
}

func (r *eventRecorder) Eventf(object runtime.Object, eventType, reason, format string, args ...any) {
	r.Event(object, eventType, reason, fmt.Sprintf(format, args...))
}

func (r *eventRecorder) AnnotatedEventf(object runtime.Object, _ map[string]string, eventType, reason, format string, args ...any) {
	r.Event(object, eventType, reason, fmt.Sprintf(format, args...))
}
