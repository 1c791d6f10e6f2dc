package trace

import (
	"context"
	"errors"
	"net/url"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/watchlist"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// sensing is a ListerWatcher that tells a sight of everything that it meets.
type sensing struct {
	cache.ListerWatcherWithContext
	*sight
	// inside notes what is asked and answered; nil for nobody.
	inside *insider
	// listsFirst: no list is to be streamed.
	listsFirst bool
	// deliver queues a mark.
	deliver func(*mark)
	// ends ends the trace with an error, if it is one.
	ends func(error)
}

func sense(lw cache.ListerWatcher, s *sight, inside *insider, deliver func(*mark), ends func(error)) *sensing {
	return &sensing{cache.ToListerWatcherWithContext(lw), s, inside, watchlist.DoesClientNotSupportWatchListSemantics(lw), deliver, ends}
}

// IsWatchListSemanticsUnSupported is how a reflector asks.
func (s *sensing) IsWatchListSemanticsUnSupported() bool {
	return s.listsFirst
}

// List and Watch are what the interface asks for besides; a reflector calls the
// others.
func (s *sensing) List(o metav1.ListOptions) (runtime.Object, error) {
	return s.ListWithContext(context.Background(), o)
}

// Watch is WatchWithContext without a context.
func (s *sensing) Watch(o metav1.ListOptions) (watch.Interface, error) {
	return s.WatchWithContext(context.Background(), o)
}

// ListWithContext lists.
func (s *sensing) ListWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !s.pause(ctx) {
		return nil, ctx.Err()
	}
	began := s.clock.Now()
	s.sends(cancel)
	list, err := s.ListerWatcherWithContext.ListWithContext(ctx, o)
	s.answered(err)
	s.inside.lists(o, began, list, err)
	return list, err
}

// WatchWithContext watches. A reflector has taken in everything of one watch
// when it asks for the next.
func (s *sensing) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	if at, ok := s.inTime(); ok {
		s.mark(at)
	}
	lasts := s.lasting()
	seconds := int64(lasts / time.Second)
	o.TimeoutSeconds, o.AllowWatchBookmarks = &seconds, true
	ctx, cancel := context.WithCancel(ctx)
	asked := s.clock.Now()
	s.sends(cancel)
	w, err := s.ListerWatcherWithContext.WatchWithContext(ctx, o)
	s.answered(err)
	s.inside.watches(o, asked, lasts, err)
	if err != nil {
		cancel()
		return nil, err
	}
	sensed := &sensedWatch{Interface: w, of: s, ctx: ctx, cancel: cancel, out: make(chan watch.Event)}
	sensed.began, sensed.lasts, sensed.lists = asked, lasts, o.SendInitialEvents != nil && *o.SendInitialEvents
	sensed.asked = o
	sensed.n = s.opens(asked, lasts, sensed.reopen)
	go sensed.pass()
	return sensed, nil
}

// mark queues a mark behind everything that was delivered so far.
func (s *sensing) mark(at time.Time) { s.deliver(s.marks(at)) }

// sensedWatch passes on what another brings.
type sensedWatch struct {
	watch.Interface
	of     *sensing
	n      int
	ctx    context.Context
	cancel context.CancelFunc
	out    chan watch.Event
	// ended: it was ended here, so that the error that follows is none.
	ended atomic.Bool
	// began is when it was asked for, to last for lasts.
	began time.Time
	lasts time.Duration
	// lists: it begins with all objects, and these have not all come; asked is what was asked
	// for.
	lists bool
	asked metav1.ListOptions
	// held is about how much memory these objects take.
	held int64
}

// reopen ends the watch, so that the reflector asks for another.
func (w *sensedWatch) reopen() {
	w.ended.Store(true)
	w.Interface.Stop()
}

func (w *sensedWatch) ResultChan() <-chan watch.Event { return w.out }

func (w *sensedWatch) Stop() {
	w.cancel()
	w.Interface.Stop()
}

func (w *sensedWatch) pass() {
	defer close(w.out)
	defer w.of.closes(w.n)
	events := 0
	for e := range w.Interface.ResultChan() {
		at := w.of.hears()
		if e.Type == watch.Error && w.ended.Load() {
			break
		}
		listed := w.lists && e.Type != watch.Error
		if listed {
			w.listing(e, &events)
		} else {
			w.of.inside.brings(e)
		}
		if e.Type == watch.Error {
			w.of.failed(w.n, reasonOf(apierrors.FromObject(e.Object)))
		}
		if !w.of.pause(w.ctx) {
			return
		}
		size := sizeOf(e.Object) // the reflector, once it has the object, changes it
		select {
		case w.out <- e:
		case <-w.ctx.Done():
			return
		}
		if e.Type == watch.Error {
			return // the reflector reads no further
		}
		if listed {
			continue // the reflector queues nothing before it has the whole list
		}
		if e.Type == watch.Bookmark {
			w.of.mark(at) // the reflector has queued what came before
		} else {
			events++
			if w.of.passes(size) {
				w.of.mark(time.Time{})
			}
		}
	}
	if w.lists {
		w.of.failed(w.n, "its list did not come to an end")
	}
	w.of.inside.watched(w.end(), w.began, w.lasts, events)
}

// listing counts an object of a streamed list, until the bookmark that ends it.
func (w *sensedWatch) listing(e watch.Event, objects *int) {
	if m, err := meta.Accessor(e.Object); e.Type != watch.Bookmark || err != nil || m.GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true" {
		*objects++
		w.held += sizeOf(e.Object)
		w.of.ends(overfull(w.held))
		return
	}
	w.of.inside.streamed(w.asked, w.began, *objects, versionOf(e.Object))
	w.lists, *objects = false, 0
}

// end is how it ended that brought no error.
func (w *sensedWatch) end() entry.Did {
	switch {
	case w.ended.Load():
		return entry.Reopened
	case w.of.clock.Since(w.began) >= w.lasts-early:
		return entry.TimedOut
	}
	return entry.CutOff
}

// reasonOf is what an error says without the whole request, which says nothing new.
func reasonOf(err error) string {
	var sent *url.Error
	var status apierrors.APIStatus
	switch {
	case errors.Is(err, context.Canceled):
		return "no answer"
	case errors.As(err, &status):
		return status.Status().Message
	case errors.As(err, &sent):
		return sent.Err.Error()
	}
	return err.Error()
}
