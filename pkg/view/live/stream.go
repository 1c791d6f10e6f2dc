package live

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Stream reads one need for an informer of the caller's own, through the same
// guarded connection. Views hold nothing of it.
type Stream struct {
	i      *informer
	synced atomic.Bool
	// broke: a watch failed since Broken was last asked. ended: the last one is
	// over, and there is no other yet.
	broke, ended atomic.Bool
}

// Stream prepares to read a need; it sends nothing.
func (s *Source) Stream(need view.Need) (*Stream, error) {
	r, err := s.clients.reader(need)
	if err != nil {
		return nil, err
	}
	return &Stream{i: &informer{need: need, source: s, reader: r, tried: make(chan struct{})}}, nil
}

// ListWatch is what a reflector asks.
func (s *Stream) ListWatch() cache.ListerWatcher {
	lw := s.i.listWatch()
	begin := lw.WatchFuncWithContext
	lw.WatchFuncWithContext = func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
		w, err := begin(ctx, o)
		if err != nil {
			s.broke.Store(true)
			return nil, err
		}
		s.ended.Store(false)
		return ending{w, &s.ended}, nil
	}
	return lw
}

// ending is a watch that notes its end. A server that goes away ends watches
// without an error; the next one may begin only when it is back.
type ending struct {
	watch.Interface
	ended *atomic.Bool
}

// Stop is what the reflector calls whenever it is done with a watch.
func (e ending) Stop() {
	e.ended.Store(true)
	e.Interface.Stop()
}

// Example is an empty object of what is read.
func (s *Stream) Example() runtime.Object { return s.i.reader.example() }

// Synced notes that the first list was read: from now on an error is an
// interruption.
func (s *Stream) Synced() { s.synced.Store(true) }

// Failed hears from the reflector why it starts over, and returns an error that
// no retry will help, or nil.
func (s *Stream) Failed(err error) error {
	if w := (*watchError)(nil); errors.As(err, &w) {
		if apierrors.IsForbidden(err) {
			return unreadable(s.i.need, "watch", err)
		}
		return nil // already noted, with the original error
	}
	if s.synced.Load() {
		s.i.interrupted(err)
		return nil
	}
	return s.i.source.lasting(s.i.need, err)
}

// Broken says why events do not arrive at the moment, or did not since it was
// asked before, if so. Unlike a View, a trace misses something at once.
func (s *Stream) Broken() (string, bool) {
	broke := s.broke.Swap(false) || s.ended.Load()
	s.i.mu.Lock()
	defer s.i.mu.Unlock()
	if s.i.since.IsZero() {
		return "the watch of " + s.i.need.String() + " broke off", broke
	}
	return fmt.Sprintf("cannot watch %s: %v", s.i.need, s.i.cause), true
}

// Quiet keeps client-go from writing its own words about errors.
func Quiet(ctx context.Context) context.Context { return quiet(ctx) }
