package live

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// reader is one kind in one namespace, whole or as bare metadata.
type reader interface {
	get(ctx context.Context, name string) (runtime.Object, error)
	list(ctx context.Context, o metav1.ListOptions) (reply, error)
	watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error)
	// example is an empty object of what is read.
	example() runtime.Object
}

// reply is a page of a list as it was received.
type reply struct {
	// next is the token for the page behind it; empty where there is none, or where
	// only the decoded page tells.
	next   string
	decode func() (runtime.Object, error)
}

// reader makes the reader that the need's kind and detail call for. It may leave out
// of lists what prepare drops, where all objects go through that.
func (c *clients) reader(need view.Need, prepared bool) (reader, error) {
	own, err := c.readerOf(need, prepared)
	later, ok := need.Kind.Later()
	if err != nil || !ok {
		return own, err
	}
	need.Kind = later
	other, err := c.readerOf(need, prepared)
	return either{own, other, &c.later}, err
}

// readerOf reads the kind in just that version.
func (c *clients) readerOf(need view.Need, prepared bool) (reader, error) {
	client, err := c.group(need.Kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	ask := asking{client, need, prepared}
	if need.Detail == view.Metadata {
		return bare{ask, c.metadata.Resource(need.Kind.GVR()).Namespace(need.Namespace)}, nil
	}
	if !need.Kind.Typed() {
		return untyped{ask, c.dynamic.Resource(need.Kind.GVR()).Namespace(need.Namespace)}, nil
	}
	object, err := view.Scheme.New(need.Kind.GroupVersionKind)
	if err != nil {
		return nil, fmt.Errorf("%s: only its metadata can be read: %w", need, err)
	}
	return whole{ask, object}, nil
}

// asking makes the requests for a need.
type asking struct {
	client rest.Interface
	need   view.Need
	// prepared: all objects go through prepare.
	prepared bool
}

// text is what an answer with a list holds, without what prepare drops.
func (a asking) text(answer rest.Result) ([]byte, error) {
	text, err := answer.Raw()
	if err == nil && a.prepared {
		text = trimmed(text)
	}
	return text, err
}

// page is an answer with a list, which decode decodes.
func page(answer rest.Result, decode func() (runtime.Object, error)) (reply, error) {
	if err := answer.Error(); err != nil { // it says more than that of Raw
		return reply{}, err
	}
	text, err := answer.Raw()
	return reply{continueOf(text), decode}, err
}

func (a asking) request() *rest.Request {
	ns := a.need.Namespace
	return a.client.Get().NamespaceIfScoped(ns, ns != "").Resource(a.need.Kind.Resource)
}

func (a asking) kind() typed { return typedAs(a.need.Kind.GroupVersionKind) }

// whole reads typed objects.
type whole struct {
	asking
	object runtime.Object
}

func (r whole) get(ctx context.Context, name string) (runtime.Object, error) {
	answer := r.request().Name(name).Do(ctx)
	if err := checkObject(answer, r.kind()); err != nil {
		return nil, err
	}
	obj, err := answer.Get()
	return r.checked(obj, err, r.need.Kind.Kind)
}

func (r whole) list(ctx context.Context, o metav1.ListOptions) (reply, error) {
	answer := withOptions(r.request(), o).Do(ctx)
	return page(answer, func() (runtime.Object, error) {
		if err := checkList(answer, r.kind()); err != nil {
			return nil, err
		}
		pods := r.need.Kind.GroupKind() == view.Pods.GroupKind()
		if isJSON(answer) || !r.prepared && !pods {
			obj, err := answer.Get()
			return r.checked(obj, err, r.need.Kind.Kind+"List")
		}
		text, err := r.text(answer)
		if err != nil {
			return nil, err
		}
		obj, err := decoded(text)
		return r.checked(obj, err, r.need.Kind.Kind+"List")
	})
}

// decoded is a list in protobuf, whose Pods share what they have in common.
func decoded(text []byte) (runtime.Object, error) {
	short, restore := sharing(text)
	obj, err := runtime.Decode(view.Codecs.UniversalDeserializer(), short)
	if err == nil {
		restore(obj)
	}
	return obj, err
}

func (r whole) checked(obj runtime.Object, err error, kind string) (runtime.Object, error) {
	if err == nil {
		err = ofType(obj, r.need.Kind.GroupVersion().WithKind(kind))
	}
	if err == nil {
		err = belongs(r.need, obj)
	}
	return obj, err
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
