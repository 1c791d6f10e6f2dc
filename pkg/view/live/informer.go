package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// informer keeps the objects of one need up to date.
type informer struct {
	need   view.Need
	source *Source
	reader reader
	shared cache.SharedIndexInformer
	cancel context.CancelFunc

	arrived atomic.Int64  // objects of the first read, for Reading
	paged   func(Page)    // hears of each page; nil for nobody
	tried   chan struct{} // closed when the first read came to an end
	first   sync.Once

	mu      sync.Mutex
	err     error // why the first read failed
	trouble error // the latest error of a first read that goes on
	late    error // why Load did not wait any longer
	watching
}

// newInformer prepares an informer; run makes it read.
func newInformer(s *Source, need view.Need) (*informer, error) {
	r, err := s.clients.reader(need, true)
	if err != nil {
		return nil, err
	}
	i := &informer{need: need, source: s, reader: r, tried: make(chan struct{})}
	i.shared = cache.NewSharedIndexInformerWithOptions(i.listWatch(), r.example(), cache.SharedIndexInformerOptions{})
	_, handler := i.shared.AddEventHandler(i.changes())
	if err := errors.Join(
		handler,
		i.shared.SetTransform(prepare),
		i.shared.SetWatchErrorHandlerWithContext(i.readFailed),
	); err != nil {
		return nil, fmt.Errorf("preparing to read %s: %w", need, err)
	}
	return i, nil
}

// run reads until ctx ends.
func (i *informer) run(ctx context.Context) {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		i.shared.RunWithContext(quiet(ctx))
	}()
	select {
	case <-i.shared.HasSyncedChecker().Done():
		i.settle(nil)
	case <-stopped:
	}
	<-stopped
}

// quiet keeps client-go from writing its own words about errors, which the
// View carries, between the lines of an answer; -v brings them back.
func quiet(ctx context.Context) context.Context {
	if klog.V(1).Enabled() {
		return ctx
	}
	return klog.NewContext(ctx, klog.Logger{})
}

// readFailed hears from the reflector why it starts over.
func (i *informer) readFailed(_ context.Context, _ *cache.Reflector, err error) {
	if w := (*watchError)(nil); errors.As(err, &w) {
		return // already noted, with the original error
	}
	if i.synced() {
		i.interrupted(err)
		return
	}
	if lasting := i.source.lasting(i.need, err); lasting != nil {
		i.settle(lasting)
		i.cancel()
		return
	}
	i.mu.Lock()
	i.trouble = err
	i.mu.Unlock()
}

// settle ends the first read. When Load did not wait for it, it is a change.
func (i *informer) settle(err error) {
	i.first.Do(func() {
		i.mu.Lock()
		i.err = err
		overdue := i.late != nil
		i.mu.Unlock()
		close(i.tried)
		if overdue {
			i.source.changed()
		}
	})
}

func (i *informer) synced() bool {
	done, err := i.outcome()
	return done && err == nil
}

func (i *informer) failed() bool {
	done, err := i.outcome()
	return done && err != nil
}

// outcome reports whether the first read ended, and how; while it has not, err
// is why Load stopped waiting, if it did.
func (i *informer) outcome() (done bool, err error) {
	select {
	case <-i.tried:
		done = true
	default:
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if done {
		return true, i.err
	}
	return false, i.late
}
