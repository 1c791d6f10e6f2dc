package live

import (
	"context"

	metainternalversionscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// bare reads PartialObjectMetadata. Servers that know no such form send the whole
// objects.
type bare struct {
	asking
	watches metadata.ResourceInterface
}

const (
	partial     = "PartialObjectMetadata"
	partialForm = ";g=meta.k8s.io;v=v1"
)

// accept is the header that asks for metadata in the form of a kind.
func accept(kind string) string {
	return protobuf + ";as=" + kind + partialForm + ",application/json;as=" + kind + partialForm + ",application/json"
}

func (r bare) kinds() []typed {
	return []typed{typedAs(metav1.SchemeGroupVersion.WithKind(partial)), r.kind()}
}

func (r bare) get(ctx context.Context, name string) (runtime.Object, error) {
	answer := r.request().Name(name).SetHeader("Accept", accept(partial)).Do(ctx)
	if err := checkObject(answer, r.kinds()...); err != nil {
		return nil, err
	}
	text, err := answer.Raw()
	if err != nil {
		return nil, err
	}
	return r.decoded(answer, text, &metav1.PartialObjectMetadata{})
}

func (r bare) list(ctx context.Context, o metav1.ListOptions) (reply, error) {
	answer := withOptions(r.request().SetHeader("Accept", accept(partial+"List")), o).Do(ctx)
	return page(answer, func() (runtime.Object, error) {
		if err := checkList(answer, r.kinds()...); err != nil {
			return nil, err
		}
		text, err := r.text(answer)
		if err != nil {
			return nil, err
		}
		return r.decoded(answer, text, &metav1.PartialObjectMetadataList{})
	})
}

// decoded decodes the text of an answer that was checked into obj.
func (r bare) decoded(answer rest.Result, text []byte, obj runtime.Object) (_ runtime.Object, err error) {
	if isJSON(answer) {
		err = json.Unmarshal(text, obj)
	} else {
		err = runtime.DecodeInto(metainternalversionscheme.Codecs.UniversalDeserializer(), text, obj)
	}
	if err == nil {
		err = belongs(r.need, obj)
	}
	return obj, err
}

func (r bare) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	return r.watches.Watch(ctx, o)
}

func (r bare) example() runtime.Object { return &metav1.PartialObjectMetadata{} }
