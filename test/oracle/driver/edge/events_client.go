package edge

import (
	corev1 "k8s.io/api/core/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

// NoEvents is what constructors ask of the core client. Every other call
// panics.
type NoEvents struct{ coreclient.CoreV1Interface }

// RESTClient is asked for its rate limiter up to 1.25.
func (NoEvents) RESTClient() rest.Interface { return (*rest.RESTClient)(nil) }

// Events is asked for up to 1.24, by constructors that start the event
// broadcaster; events are not part of the contract.
func (NoEvents) Events(string) coreclient.EventInterface { return eventClient{} }

type eventClient struct{ coreclient.EventInterface }

func (eventClient) CreateWithEventNamespace(e *corev1.Event) (*corev1.Event, error) { return e, nil }
func (eventClient) UpdateWithEventNamespace(e *corev1.Event) (*corev1.Event, error) { return e, nil }
func (eventClient) PatchWithEventNamespace(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	return e, nil
}
