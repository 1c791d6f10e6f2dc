package live

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// listWatch is what client-go's reflector asks for a need. The reflector tries
// a streaming list first (feature gate WatchListClient, on by default since
// 1.35) and falls back to LIST when the server or RBAC refuses it.
func (i *informer) listWatch() *cache.ListWatch {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			narrow(&o, i.need)
			list, err := i.reader.list(ctx, o)
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
			w, err := i.reader.watch(ctx, o)
			if err != nil {
				return nil, i.watchFailed(o, err)
			}
			i.resumed()
			return w, nil
		},
	}
}

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

// canGet tells whether one GET answers the need as well as a list does.
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

// opaqueError hides what it was made of.
type opaqueError struct{ text string }

func (e *opaqueError) Error() string { return e.text }

// watchFailed is err as the reflector shall see it. In a streaming list it
// would retry a refused connection or a 429 on its own, with sleeps that no
// context ends and without a word to the error handler
// (Reflector.watchList); hidden, the error makes it fall back to LIST, whose
// failure it reports.
func (i *informer) watchFailed(o metav1.ListOptions, err error) error {
	if o.SendInitialEvents == nil || !*o.SendInitialEvents {
		i.interrupted(err)
		return &watchError{err}
	}
	if utilnet.IsConnectionRefused(err) || apierrors.IsTooManyRequests(err) {
		err = &opaqueError{err.Error()}
	}
	return &watchError{err}
}
