package live

import (
	"context"
	"errors"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Stream reads one need for an informer of the caller's own, through the same
// guarded connection. Views hold nothing of it.
type Stream struct {
	i      *informer
	synced atomic.Bool
}

// Stream prepares to read a need; it sends nothing.
func (s *Source) Stream(need view.Need) (*Stream, error) {
	r, err := s.clients.reader(need, false)
	if err != nil {
		return nil, err
	}
	return &Stream{i: &informer{need: need, source: s, reader: r, tried: make(chan struct{})}}, nil
}

// ListWatch is what a reflector asks, page by page, or streamed: by a watch that begins with
// all objects.
func (s *Stream) ListWatch(streamed bool) cache.ListerWatcher {
	lw := s.i.listWatch()
	if streamed {
		return lw.ListWatch
	}
	return lw
}

// OnPage makes it tell of each page that is asked for. Call it before anything is read.
func (s *Stream) OnPage(told func(Page)) { s.i.paged = told }

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

// Quiet keeps client-go from writing its own words about errors.
func Quiet(ctx context.Context) context.Context { return quiet(ctx) }
