package live

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Once reads the full objects of a need with one request. Nothing waits for it,
// and what it meets does not count for what is read later.
func (s *Source) Once(ctx context.Context, need view.Need) ([]metav1.Object, error) {
	need.Detail = view.Full
	stream, err := s.Stream(need)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(quiet(ctx), s.timeout)
	defer cancel()
	list, err := stream.i.listWatch().ListWithContextFunc(ctx, metav1.ListOptions{})
	if err != nil {
		if lasting := unreadable(need, "list", err); lasting != nil {
			return nil, lasting
		}
		return nil, fmt.Errorf("%s: %w", need, err)
	}
	var objs []metav1.Object
	err = meta.EachListItem(list, func(obj runtime.Object) error {
		m, err := meta.Accessor(obj)
		objs = append(objs, m)
		return err
	})
	return objs, err
}
