//go:build kruise1_5

package kruisedriver

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The client of kruise 1.5 knew no subresource but status, and no
// options of reads.
type (
	subresourceClient = client.StatusWriter
	subresourceWriter = client.StatusWriter
	updateOption      = client.UpdateOption
	patchOption       = client.PatchOption
)

func (c *recordingClient) Get(_ context.Context, key client.ObjectKey, obj client.Object) error {
	return c.get(key, obj)
}
