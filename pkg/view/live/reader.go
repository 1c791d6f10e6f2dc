package live

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// reader is one kind in one namespace, whole or as bare metadata.
type reader interface {
	get(ctx context.Context, name string) (runtime.Object, error)
	list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error)
	watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error)
	// example is an empty object of what is read.
	example() runtime.Object
}

// reader makes the reader that the need's kind and detail call for.
func (c *clients) reader(need view.Need) (reader, error) {
	own, err := c.readerOf(need)
	later, ok := need.Kind.Later()
	if err != nil || !ok {
		return own, err
	}
	need.Kind = later
	other, err := c.readerOf(need)
	return either{own, other, &c.later}, err
}

// readerOf reads the kind in just that version.
func (c *clients) readerOf(need view.Need) (reader, error) {
	if need.Detail == view.Metadata {
		return bare{c.metadata.Resource(need.Kind.GVR()).Namespace(need.Namespace)}, nil
	}
	if !need.Kind.Typed() {
		return untyped{c.dynamic.Resource(need.Kind.GVR()).Namespace(need.Namespace)}, nil
	}
	object, err := view.Scheme.New(need.Kind.GroupVersionKind)
	if err != nil {
		return nil, fmt.Errorf("%s: only its metadata can be read: %w", need, err)
	}
	client, err := c.group(need.Kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	return whole{client, need, object}, nil
}

// bare reads PartialObjectMetadata.
type bare struct{ metadata.ResourceInterface }

func (r bare) get(ctx context.Context, name string) (runtime.Object, error) {
	obj, err := r.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err // a nil pointer in the interface would not be nil
	}
	return obj, nil
}

func (r bare) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	list, err := r.List(ctx, o)
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (r bare) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	return r.Watch(ctx, o)
}

func (r bare) example() runtime.Object { return &metav1.PartialObjectMetadata{} }

// whole reads typed objects.
type whole struct {
	client rest.Interface
	need   view.Need
	object runtime.Object
}

func (r whole) request() *rest.Request {
	ns := r.need.Namespace
	return r.client.Get().NamespaceIfScoped(ns, ns != "").Resource(r.need.Kind.Resource)
}

func (r whole) get(ctx context.Context, name string) (runtime.Object, error) {
	return r.request().Name(name).Do(ctx).Get()
}

func (r whole) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	return withOptions(r.request(), o).Do(ctx).Get()
}

func (r whole) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	o.Watch = true
	req := withOptions(r.request(), o)
	if o.TimeoutSeconds != nil {
		req = req.Timeout(time.Duration(*o.TimeoutSeconds) * time.Second)
	}
	return req.Watch(ctx)
}

func (r whole) example() runtime.Object { return r.object }

func withOptions(req *rest.Request, o metav1.ListOptions) *rest.Request {
	return req.SpecificallyVersionedParams(&o, metav1.ParameterCodec, schema.GroupVersion{Version: "v1"})
}
