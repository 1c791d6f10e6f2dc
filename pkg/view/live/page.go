package live

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Page is one request of a list.
type Page struct {
	// ResourceVersion and Continue are those that were sent.
	ResourceVersion, Continue string
	// Bytes is what was received, after decompression.
	Bytes int64
}

// page asks for one page of a list, and tells of it.
func (i *informer) page(ctx context.Context, o metav1.ListOptions) (reply, error) {
	if i.paged == nil {
		return i.reader.list(ctx, o)
	}
	before := left(ctx)
	page, err := i.reader.list(ctx, o)
	i.paged(Page{o.ResourceVersion, o.Continue, before - left(ctx)})
	return page, err
}

// left is how many bytes all pages of the request's list may still have.
func left(ctx context.Context) int64 {
	if b, _ := ctx.Value(budgetKey{}).(*budget); b != nil {
		return b.left
	}
	return 0
}
