package live

import (
	"context"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// either reads a kind in its own version, and where the server does not serve
// that in a later one.
type either struct {
	own, later reader
	// took tells that the later one was taken.
	took *atomic.Bool
}

// try asks the version that the server serves, as far as is known by now.
func try[T any](e either, ask func(reader) (T, error)) (T, error) {
	if e.took.Load() {
		return ask(e.later)
	}
	answer, err := ask(e.own)
	if !unknownPath(err) {
		return answer, err
	}
	other, failure := ask(e.later)
	if unknownPath(failure) {
		return answer, err
	}
	e.took.Store(true)
	return other, failure
}

// unknownPath reports whether the server has no such path, which is how it answers
// for a kind that it does not serve: with a page of text, where what exists but
// cannot be found is a Status.
func unknownPath(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

func (e either) get(ctx context.Context, name string) (runtime.Object, error) {
	return try(e, func(r reader) (runtime.Object, error) { return r.get(ctx, name) })
}

func (e either) list(ctx context.Context, o metav1.ListOptions) (reply, error) {
	return try(e, func(r reader) (reply, error) { return r.list(ctx, o) })
}

func (e either) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	return try(e, func(r reader) (watch.Interface, error) { return r.watch(ctx, o) })
}

func (e either) example() runtime.Object { return e.own.example() }

// known brings objects of a later version into the form that deciders know.
func known(obj any) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		view.FromLater(u.Object, view.Whole)
	}
}
