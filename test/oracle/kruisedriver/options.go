//go:build !kruise1_5

package kruisedriver

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type (
	subresourceClient = client.SubResourceClient
	subresourceWriter = client.SubResourceWriter
	updateOption      = client.SubResourceUpdateOption
	patchOption       = client.SubResourcePatchOption
)

func (c *recordingClient) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	return c.get(key, obj)
}
