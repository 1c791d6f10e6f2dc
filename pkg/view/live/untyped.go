package live

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// mostLevels is how deep an object may be nested, as in files. A CloneSet of a
// real cluster has about 15 levels.
const mostLevels = 200

// TooDeep is the error of an object that is nested too deep.
type TooDeep struct{ Kind, Namespace, Name string }

func (e *TooDeep) Error() string {
	return fmt.Sprintf("%s %s/%s is nested deeper than %d levels", e.Kind, e.Namespace, e.Name, mostLevels)
}

// shallow is TooDeep for an object that is, else nil.
func shallow(u *unstructured.Unstructured) error {
	if !deeper(u.Object, mostLevels) {
		return nil
	}
	return &TooDeep{u.GetKind(), u.GetNamespace(), u.GetName()}
}

// deeper reports whether a value has more than so many levels.
func deeper(value any, levels int) bool {
	if levels < 0 {
		return true
	}
	switch v := value.(type) {
	case map[string]any:
		for _, below := range v {
			if deeper(below, levels-1) {
				return true
			}
		}
	case []any:
		for _, below := range v {
			if deeper(below, levels-1) {
				return true
			}
		}
	}
	return false
}

// untyped reads whole objects of kinds that view.Scheme does not know, such as
// those of Kruise. Servers have no protobuf for them: they come as JSON. An
// object that is nested too deep is an error.
type untyped struct {
	asking
	watches dynamic.ResourceInterface
}

func (r untyped) get(ctx context.Context, name string) (runtime.Object, error) {
	answer := r.request().Name(name).SetHeader("Accept", runtime.ContentTypeJSON).Do(ctx)
	if err := checkObject(answer, r.kind()); err != nil {
		return nil, err
	}
	obj := &unstructured.Unstructured{}
	if err := r.decode(answer, obj); err != nil {
		return nil, err // a nil pointer in the interface would not be nil
	}
	return obj, shallow(obj)
}

func (r untyped) list(ctx context.Context, o metav1.ListOptions) (reply, error) {
	answer := withOptions(r.request().SetHeader("Accept", runtime.ContentTypeJSON), o).Do(ctx)
	return page(answer, func() (runtime.Object, error) { return r.decodedList(answer) })
}

func (r untyped) decodedList(answer rest.Result) (runtime.Object, error) {
	if err := checkList(answer, r.kind()); err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{}
	if err := r.decode(answer, list); err != nil {
		return nil, err
	}
	for i := range list.Items {
		if err := shallow(&list.Items[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (r untyped) decode(answer rest.Result, into runtime.Object) error {
	if !isJSON(answer) {
		return unexpected("the server sent protobuf instead of JSON")
	}
	text, err := answer.Raw()
	if err == nil {
		err = runtime.DecodeInto(unstructured.UnstructuredJSONScheme, text, into)
	}
	if err == nil {
		err = belongs(r.need, into)
	}
	return err
}

func (r untyped) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	w, err := r.watches.Watch(ctx, o)
	if err != nil {
		return nil, err
	}
	return watch.Filter(w, func(e watch.Event) (watch.Event, bool) {
		if u, ok := e.Object.(*unstructured.Unstructured); ok {
			if err := shallow(u); err != nil { // the list that follows says so, too
				return watch.Event{Type: watch.Error, Object: &metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}}, true
			}
		}
		return e, true
	}), nil
}

func (r untyped) example() runtime.Object { return &unstructured.Unstructured{} }
