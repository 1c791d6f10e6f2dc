package live

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Page is one request of a list.
type Page struct {
	// ResourceVersion and Continue are those that were sent.
	ResourceVersion, Continue string
	// Bytes is what was received, after decompression.
	Bytes int64
}

// page reads one page of a list, and tells of it.
func (i *informer) page(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	if i.paged == nil {
		return i.reader.list(ctx, o)
	}
	before := left(ctx)
	list, err := i.reader.list(ctx, o)
	i.paged(Page{o.ResourceVersion, o.Continue, before - left(ctx)})
	return list, err
}

// left is how many bytes all pages of the request's list may still have.
func left(ctx context.Context) int64 {
	if b, _ := ctx.Value(budgetKey{}).(*budget); b != nil {
		return b.left
	}
	return 0
}
