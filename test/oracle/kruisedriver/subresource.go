package kruisedriver

import (
	"context"
	"encoding/json"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// subresource is status or resize of the client's objects.
type subresource struct {
	subresourceClient
	client *recordingClient
	name   string
}

func (s *subresource) Update(_ context.Context, obj client.Object, _ ...updateOption) error {
	c := s.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.name != "status" {
		return badRequest("the oracle does not know updates of " + s.name)
	}
	w := contract.Write{Verb: "update", Kind: kindOf(obj), Subresource: s.name, Name: obj.GetName()}
	status := encodeStatus(obj)
	if w.Kind == "CloneSet" {
		c.status = status
	} else {
		w.Object = status
	}
	return c.write(w, func() error { return c.store.updateStatus(obj) })
}

func (s *subresource) Patch(_ context.Context, obj client.Object, patch client.Patch, _ ...patchOption) error {
	return s.client.patch(obj, patch, s.name)
}

// encodeStatus is all that a write of the status can change.
func encodeStatus(obj client.Object) []byte {
	body, err := json.Marshal(statusOf(obj).Interface())
	if err != nil {
		panic(err)
	}
	return body
}
