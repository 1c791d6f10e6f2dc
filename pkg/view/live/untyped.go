package live

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// untyped reads whole objects of kinds that view.Scheme does not know, such as
// those of Kruise. Servers have no protobuf for them: they come as JSON.
type untyped struct{ dynamic.ResourceInterface }

func (r untyped) get(ctx context.Context, name string) (runtime.Object, error) {
	obj, err := r.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err // a nil pointer in the interface would not be nil
	}
	return obj, nil
}

func (r untyped) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	list, err := r.List(ctx, o)
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (r untyped) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	return r.Watch(ctx, o)
}

func (r untyped) example() runtime.Object { return &unstructured.Unstructured{} }
