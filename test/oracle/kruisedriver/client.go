package kruisedriver

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// recordingClient is a client.Client over a store. A read sees every earlier
// write, as if the manager's cache were never behind. What upstream does not
// call panics, through the nil interface, and so shows in the answer.
type recordingClient struct {
	client.Client
	scheme *runtime.Scheme

	turns *turns

	mu     sync.Mutex
	store  *store
	faults faults
	writes []contract.Write
	// status is the body of the last write of the CloneSet's status.
	status []byte
}

// begin makes the client forget the previous run.
func (c *recordingClient) begin(s *store, faults faults) {
	c.store, c.faults, c.writes, c.status = s, faults.fresh(), []contract.Write{}, nil
}

func (c *recordingClient) Scheme() *runtime.Scheme { return c.scheme }

func (c *recordingClient) Status() subresourceWriter { return c.SubResource("status") }

func (c *recordingClient) SubResource(name string) subresourceClient {
	return &subresource{client: c, name: name}
}

func (c *recordingClient) Create(_ context.Context, obj client.Object, _ ...client.CreateOption) error {
	switch obj.(type) {
	case *corev1.Pod, *corev1.PersistentVolumeClaim:
		c.turns.await(obj)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(contract.Write{Verb: "create", Kind: kindOf(obj), Name: obj.GetName(), Object: encode(obj)}, func() error {
		return c.store.create(obj)
	})
}

func (c *recordingClient) Update(_ context.Context, obj client.Object, _ ...client.UpdateOption) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(contract.Write{Verb: "update", Kind: kindOf(obj), Name: obj.GetName(), Object: encode(obj)}, func() error {
		return c.store.update(obj)
	})
}

func (c *recordingClient) Delete(_ context.Context, obj client.Object, _ ...client.DeleteOption) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(contract.Write{Verb: "delete", Kind: kindOf(obj), Name: obj.GetName()}, func() error {
		return c.store.delete(obj)
	})
}

func (c *recordingClient) Patch(_ context.Context, obj client.Object, patch client.Patch, _ ...client.PatchOption) error {
	return c.patch(obj, patch, "")
}

func (c *recordingClient) patch(obj client.Object, patch client.Patch, subresource string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := patch.Data(obj)
	if err != nil {
		return err
	}
	w := contract.Write{Verb: "patch", Kind: kindOf(obj), Subresource: subresource, Name: obj.GetName(), PatchType: string(patch.Type()), Patch: string(body)}
	return c.write(w, func() error { return c.store.patch(obj, patch.Type(), body) })
}

// write records a call, and does it unless a fault says otherwise.
func (c *recordingClient) write(w contract.Write, do func() error) error {
	err := c.faults.on(w.Verb, w.Kind, w.Subresource, w.Name)
	if err == nil {
		err = do()
	}
	w.Failed = reasonOf(err)
	c.writes = append(c.writes, w)
	return err
}
