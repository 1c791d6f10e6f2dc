package trace_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// fault is how a server treats the requests for one kind at a moment.
type fault int

const (
	well        fault = iota
	refuses           // 429 to every watch
	hangs             // no answer, as the client shows a long Retry-After
	silent            // accepted, and never anything
	noBookmarks       // events and the end, but no bookmarks
	noEnd             // events, but neither bookmarks nor an end
	endsAtOnce        // accepted, and ended right away
	gone              // accepted, then an ERROR event with 410
	cutOff            // an open watch ends too soon
	trickles          // an event every 8 seconds, and nothing else
	faults
	expired // 410 to every watch
)

func (f fault) String() string {
	return []string{"well", "refuses", "hangs", "silent", "noBookmarks", "noEnd", "endsAtOnce", "gone", "cutOff", "trickles"}[f]
}

// log is what happened to all objects of a server, in order.
type log struct {
	mu      sync.Mutex
	version int
	events  []stored
}

type stored struct {
	version int
	kind    view.Kind
	watch.Event
}

func (l *log) put(k view.Kind, typ watch.EventType, obj metav1.Object) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version++
	obj.SetResourceVersion(strconv.Itoa(l.version))
	l.events = append(l.events, stored{l.version, k, watch.Event{Type: typ, Object: obj.(runtime.Object)}})
}

// since lists the events of a kind after a version, and the version of now.
func (l *log) since(k view.Kind, version int) (out []stored, now int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if e.version > version && e.kind.GroupKind() == k.GroupKind() {
			e.Object = e.Object.DeepCopyObject()
			out = append(out, e)
		}
	}
	return out, l.version
}

// endpoint serves one kind of a log as an API server does, but for its faults.
type endpoint struct {
	*log
	kind view.Kind
	// fault is asked at every request and while a watch is open.
	fault func() fault
	// requests counts lists and watches; nil for nobody.
	requests *requests
	// streams: lists may be streamed.
	streams bool
}

// requests are those that a server got.
type requests struct {
	mu             sync.Mutex
	lists, watches int
}

func (r *requests) count(n *int) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		*n++
	}
}

func (e endpoint) feed(example runtime.Object) trace.Feed {
	return trace.Feed{Need: view.Need{Kind: e.kind, Namespace: "shop", Detail: view.Full}, ListerWatcher: e, Example: example}
}

// IsWatchListSemanticsUnSupported is how a reflector asks.
func (e endpoint) IsWatchListSemanticsUnSupported() bool { return !e.streams }

func (e endpoint) List(o metav1.ListOptions) (runtime.Object, error) {
	return e.ListWithContext(context.Background(), o)
}

func (e endpoint) Watch(o metav1.ListOptions) (watch.Interface, error) {
	return e.WatchWithContext(context.Background(), o)
}

func (e endpoint) ListWithContext(context.Context, metav1.ListOptions) (runtime.Object, error) {
	if e.requests != nil {
		e.requests.count(&e.requests.lists)
	}
	return e.list(), nil
}

func (e endpoint) list() *metav1.List {
	all, version := e.since(e.kind, 0)
	latest := map[string]runtime.Object{}
	var names []string
	for _, event := range all {
		name := event.Object.(metav1.Object).GetName()
		if latest[name] = event.Object; event.Type == watch.Deleted {
			delete(latest, name)
		} else if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	list := &metav1.List{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(version)}}
	for _, name := range names {
		if obj, there := latest[name]; there {
			list.Items = append(list.Items, runtime.RawExtension{Object: obj})
		}
	}
	return list
}

func (e endpoint) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	if e.requests != nil {
		e.requests.count(&e.requests.watches)
	}
	switch e.fault() {
	case refuses:
		return nil, apierrors.NewTooManyRequests("too many requests", 1)
	case expired:
		return nil, apierrors.NewResourceExpired("too old resource version")
	case hangs:
		<-ctx.Done()
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &opened{endpoint: e, ctx: ctx, cancel: cancel, out: make(chan watch.Event)}
	w.version, _ = strconv.Atoi(o.ResourceVersion)
	w.lists = o.SendInitialEvents != nil
	w.until = time.Duration(*o.TimeoutSeconds) * time.Second
	go w.run()
	return w, nil
}

// opened is a watch.
type opened struct {
	endpoint
	ctx     context.Context
	cancel  func()
	out     chan watch.Event
	version int
	until   time.Duration
	// lists: it begins with all objects.
	lists bool
}

func (w *opened) ResultChan() <-chan watch.Event { return w.out }
func (w *opened) Stop()                          { w.cancel() }

func (w *opened) run() {
	defer close(w.out)
	marked, told := false, time.Now()
	if w.lists && !w.sendList() {
		return
	}
	for begun := time.Now(); w.ctx.Err() == nil; {
		was := w.fault()
		switch was {
		case endsAtOnce:
			return
		case gone:
			w.send(watch.Event{Type: watch.Error, Object: &metav1.Status{Code: 410, Reason: metav1.StatusReasonExpired, Message: "too old resource version"}})
			return
		case cutOff:
			if time.Since(begun) > 0 {
				return
			}
		}
		switch was {
		case silent:
		case trickles:
			if events, _ := w.since(w.kind, w.version); len(events) > 0 && time.Since(told) >= 8*time.Second {
				w.send(events[0].Event)
				w.version, told = events[0].version, time.Now()
			}
		default:
			events, now := w.since(w.kind, w.version)
			for _, e := range events {
				w.send(e.Event)
			}
			w.version = now
			if was == well && !marked && time.Since(begun) >= w.until-2*time.Second {
				marked = true
				w.send(watch.Event{Type: watch.Bookmark, Object: w.bookmark()})
			}
			if was != noEnd && time.Since(begun) >= w.until {
				return
			}
		}
		select {
		case <-w.ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// sendList sends all objects and the bookmark that ends them; where watches are cut off it
// ends before.
func (w *opened) sendList() (whole bool) {
	list := w.list()
	for _, item := range list.Items {
		w.send(watch.Event{Type: watch.Added, Object: item.Object})
		if w.fault() == cutOff {
			time.Sleep(100 * time.Millisecond) // the reflector asks again at once
			return false
		}
	}
	w.version, _ = strconv.Atoi(list.ResourceVersion)
	mark := w.bookmark()
	mark.(metav1.Object).SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
	w.send(watch.Event{Type: watch.Bookmark, Object: mark})
	return true
}

func (w *opened) send(e watch.Event) {
	select {
	case w.out <- e:
	case <-w.ctx.Done():
	}
}

func (w *opened) bookmark() runtime.Object {
	meta := metav1.ObjectMeta{ResourceVersion: strconv.Itoa(w.version)}
	if w.kind.GroupKind() == view.Pods.GroupKind() {
		return &corev1.Pod{ObjectMeta: meta}
	}
	return &appsv1.ReplicaSet{ObjectMeta: meta}
}
