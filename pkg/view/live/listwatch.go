package live

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// listThenWatch tells client-go's reflector not to ask for a streaming list
// (feature gate WatchListClient, on by default since 1.35). It spares memory on
// both sides, but one frame for each object costs about twice the time.
type listThenWatch struct{ *cache.ListWatch }

// IsWatchListSemanticsUnSupported is how a reflector asks; see
// k8s.io/client-go/util/watchlist.
func (listThenWatch) IsWatchListSemanticsUnSupported() bool { return true }

// listWatch is what the reflector asks for a need.
func (i *informer) listWatch() listThenWatch {
	return listThenWatch{&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			narrow(&o, i.need)
			latest(&o)
			list, err := i.readPages(ctx, o)
			if apierrors.IsForbidden(err) && canGet(i.need) {
				list, err = i.getInstead(ctx, err)
			}
			if err == nil {
				i.wasRead()
			}
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			narrow(&o, i.need)
			return i.watch(ctx, o)
		},
	}}
}

// latest asks for the state of now. A reflector's first list contents itself
// with whatever the server has in its cache (resource version 0), which may be
// older than the change that someone just made and asks about. Its later lists
// ask for the version that it saw last or any newer one; a server that is asked
// for pages answers with exactly that version, from which a watch that expired
// can't go on.
func latest(o *metav1.ListOptions) {
	o.ResourceVersion, o.ResourceVersionMatch = "", ""
}

// readPages reads the whole list, when it is its turn.
func (i *informer) readPages(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	select {
	case i.source.lists <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-i.source.lists }()
	return pages{i.page, i.counted}.read(ctx, o)
}

func (i *informer) counted(objects int) { i.arrived.Add(int64(objects)) }

// narrow puts the need's selectors into the options.
func narrow(o *metav1.ListOptions, need view.Need) {
	o.LabelSelector = need.Selector
	var terms []string
	if need.Name != "" {
		terms = append(terms, fields.OneTermEqualSelector(metav1.ObjectNameField, need.Name).String())
	}
	if need.Fields != "" {
		terms = append(terms, need.Fields)
	}
	o.FieldSelector = strings.Join(terms, ",")
}

// canGet reports whether one GET answers the need as well as a list does.
func canGet(n view.Need) bool {
	located := n.Namespace != "" || !n.Kind.Namespaced
	return n.Name != "" && located && n.Selector == "" && n.Fields == ""
}

// getInstead reads the one object of a need whose list is forbidden: many
// roles give get without list. It answers refused when GET is forbidden too.
func (i *informer) getInstead(ctx context.Context, refused error) (runtime.Object, error) {
	obj, err := i.reader.get(ctx, i.need.Name)
	switch {
	case apierrors.IsForbidden(err):
		return nil, refused
	case apierrors.IsNotFound(err) && !apierrors.IsUnexpectedServerError(err):
		return &metav1.List{}, nil // there is no such object: an answer, too
	case err != nil:
		return nil, err
	}
	list := &metav1.List{Items: []runtime.RawExtension{{Object: obj}}}
	if m, err := meta.Accessor(obj); err == nil {
		list.ResourceVersion = m.GetResourceVersion()
	}
	return list, nil
}

// watchError tells the reflector's failed watches from its failed lists.
type watchError struct{ error }

func (e *watchError) Unwrap() error { return e.error }

// watchFailed is err as the reflector shall see it.
func (i *informer) watchFailed(err error) error {
	i.interrupted(err)
	return &watchError{err}
}
