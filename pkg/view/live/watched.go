package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	// watchFor is how long a watch is to last at most. A server that is well ends it then.
	watchFor = time.Minute
	// overtime is how much longer a watch may last that brings nothing.
	overtime = 10 * time.Second
	// answerWithin is how long a server may take to accept a watch. The client obeys a
	// Retry-After, however long.
	answerWithin = 30 * time.Second
	// brief is what a watch lasts at least. One that ends sooner, and empty, never worked.
	brief = time.Second
)

var errBrief = errors.New("the server ends the watch at once")

// watch asks for a watch, and passes on what was asked for.
func (i *informer) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	lasts := watchFor
	if o.TimeoutSeconds != nil {
		lasts = min(lasts, time.Duration(*o.TimeoutSeconds)*time.Second)
	}
	seconds := int64(lasts / time.Second)
	o.TimeoutSeconds = &seconds
	ctx, cancel := context.WithCancel(ctx)
	w, err := i.ask(ctx, cancel, o)
	if err != nil {
		cancel()
		return nil, i.watchFailed(err)
	}
	checked := &watched{Interface: w, of: i, ctx: ctx, cancel: cancel, out: make(chan watch.Event), ends: i.source.clock.After(lasts + overtime)}
	go checked.pass()
	return checked, nil
}

// ask gives a watch up that the server does not answer.
func (i *informer) ask(ctx context.Context, cancel func(), o metav1.ListOptions) (watch.Interface, error) {
	timer := i.source.clock.NewTimer(answerWithin)
	defer timer.Stop()
	answered, late := make(chan struct{}), make(chan bool, 1)
	go func() {
		select {
		case <-timer.C():
			cancel()
			late <- true
		case <-answered:
			late <- false
		}
	}()
	w, err := i.reader.watch(ctx, o)
	close(answered)
	if !<-late {
		return w, err
	}
	if w != nil {
		w.Stop()
	}
	if status := i.source.traffic.lastTrouble(); status != "" {
		return nil, fmt.Errorf("no answer for %s: the server said %s", answerWithin, status)
	}
	return nil, fmt.Errorf("no answer for %s", answerWithin)
}

// watched passes on what a watch brings. What was not asked for ends it with an error, after
// which the reflector lists, and so does silence.
type watched struct {
	watch.Interface
	of     *informer
	ctx    context.Context
	cancel context.CancelFunc
	out    chan watch.Event
	ends   <-chan time.Time
}

func (w *watched) ResultChan() <-chan watch.Event { return w.out }

// Stop ends the watch.
func (w *watched) Stop() {
	w.cancel()
	w.Interface.Stop()
}

func (w *watched) pass() {
	defer close(w.out)
	empty, lasted := true, w.of.source.clock.After(brief)
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-lasted:
			lasted = nil
			w.of.lasted()
		case <-w.ends:
			err := fmt.Errorf("neither an event nor the end of the watch for %s", watchFor+overtime)
			w.of.silent(err)
			w.send(errorEvent(err))
			w.Stop()
			return
		case e, open := <-w.Interface.ResultChan():
			switch {
			case open:
			case lasted != nil && empty && w.ctx.Err() == nil:
				w.of.interrupted(errBrief)
				return
			default:
				w.of.resumed()
				return
			}
			empty, w.ends = false, nil
			if e = w.of.expected(e); e.Type == watch.Error {
				w.of.interrupted(apierrors.FromObject(e.Object))
			} else {
				w.of.resumed()
			}
			if !w.send(e) || e.Type == watch.Error {
				return
			}
		}
	}
}

func (w *watched) send(e watch.Event) bool {
	select {
	case w.out <- e:
		return true
	case <-w.ctx.Done():
		return false
	}
}

// expected is the event, or an error in its place when it is about something else than what
// is watched.
func (i *informer) expected(e watch.Event) watch.Event {
	if e.Type == watch.Error {
		return e
	}
	err := i.typed(e)
	if err == nil && e.Type != watch.Bookmark { // which has nothing but a version
		err = belongs(i.need, e.Object)
	}
	if err != nil {
		return errorEvent(err)
	}
	return e
}

// typed checks the kind of an event's object. Objects with a Go type need not say theirs.
func (i *informer) typed(e watch.Event) error {
	if e.Object == nil {
		return unexpected("the server sent an event without an object")
	}
	want := i.need.Kind.GroupVersionKind
	switch e.Object.(type) {
	case *metav1.PartialObjectMetadata, *unstructured.Unstructured:
		later, _ := i.need.Kind.Later()
		got := e.Object.GetObjectKind().GroupVersionKind()
		if !slices.Contains([]schema.GroupVersionKind{want, later.GroupVersionKind, partialKind}, got) {
			return unexpected("the server sent %s instead of %s", typedAs(got), typedAs(want))
		}
		return nil
	}
	return ofType(e.Object, want)
}

var partialKind = metav1.SchemeGroupVersion.WithKind(partial)

// errorEvent ends a watch for a reason.
func errorEvent(err error) watch.Event {
	return watch.Event{Type: watch.Error, Object: &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusBadGateway, Reason: metav1.StatusReasonUnknown, Message: err.Error(),
	}}
}
