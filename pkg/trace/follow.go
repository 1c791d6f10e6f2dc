package trace

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

// Feed is one informer's source: a cluster's, or that of a test.
type Feed struct {
	Need view.Need
	cache.ListerWatcher
	// Example is an empty object of what is read.
	Example any
	// Optional feeds leave the trace poorer when they fail, others end it.
	Optional bool
	// Synced is told that the first list was read.
	Synced func()
	// Failed makes an error that no retry helps, or nil.
	Failed func(error) error
	// Pages is told who hears of each page of a list; nil where pages are not visible.
	Pages func(func(live.Page))
}

// Feeds prepares to read needs from a cluster, with lists in pages or streamed.
func Feeds(src *live.Source, needs []view.Need, streamed bool) ([]Feed, error) {
	feeds := make([]Feed, 0, len(needs))
	for _, need := range needs {
		s, err := src.Stream(need)
		if err != nil {
			return nil, err
		}
		feeds = append(feeds, Feed{
			Need: need, ListerWatcher: s.ListWatch(streamed), Example: s.Example(), Optional: !need.Required(),
			Synced: s.Synced, Failed: s.Failed, Pages: s.OnPage,
		})
	}
	return feeds, nil
}

// Follower feeds an engine from informers, one event at a time.
type Follower struct {
	clock  clock.Clock
	record *Recorder
	wake   chan struct{}
	failed chan error

	// sights are those of the feeds.
	sights []*sight
	// insiders note what the informers do, until the trace is done.
	insiders []*insider
	done     <-chan struct{}

	mu     sync.Mutex
	engine *Engine
	// detector watches for changes of what is in the stores, where the environment asks for that.
	detector cache.MutationDetector
	// stopping: no worker takes another key.
	stopping bool
	// blind names the feeds that can't be watched, if so.
	blind string
	// absent are kinds of the surroundings that the server does not serve: there
	// is nothing of them.
	absent map[schema.GroupKind]bool
}

// Follow runs until the context ends, and sums up. The engine's clock starts
// now. record may be nil.
func Follow(ctx context.Context, c clock.Clock, o Options, feeds []Feed, record *Recorder) (entry.Summary, error) {
	f := &Follower{
		detector: cache.NewCacheMutationDetector("trace"), clock: c, record: record, wake: make(chan struct{}, 1), failed: make(chan error, len(feeds)), absent: map[schema.GroupKind]bool{},
	}
	o.Start, o.Confirmed = f.now(), true
	o.Workers = o.everyWorker()
	f.engine = New(o)
	defer f.engine.Stop()
	if err := record.header(o); err != nil {
		return entry.Summary{}, err
	}
	ctx, cancel := context.WithCancel(live.Quiet(ctx))
	f.done = ctx.Done()
	f.engine.reads(f.informers, f.detector)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { f.detector.Run(ctx.Done()) })
	managers := newCompared(o.Internals)
	f.engine.managers = managers
	running.Go(func() { managers.begin(ctx) })
	informers, insides := make([]cache.Controller, len(feeds)), make([]*insider, len(feeds))
	for i, feed := range feeds { // all stores are there before the first informer runs
		var config *cache.Config
		config, insides[i] = f.informer(ctx, feed)
		defer insides[i].release()
		informers[i] = cache.New(config)
	}
	var syncs []<-chan struct{}
	for i, informer := range informers {
		running.Go(func() { informer.RunWithContext(ctx) })
		syncs = append(syncs, insides[i].await(ctx, informer.HasSyncedChecker().Done()))
	}
	if err := f.await(ctx, feeds, syncs); err != nil {
		return entry.Summary{}, err
	}
	err := f.work(ctx, feeds)
	managers.end(ctx, o.Controllers)
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.now()
	sum := f.engine.End(at)
	f.record.inside(at, f.engine.told)
	f.record.mark(at, end, "")
	return sum, cmp.Or(f.record.Err(), err) // an error of the record is what ended the work
}

// informer is client-go's own reflector and queue of deltas; what the queue hands out the
// engine takes, and the store that lists are compared with is the engine's.
func (f *Follower) informer(ctx context.Context, feed Feed) (*cache.Config, *insider) {
	seen := newSight(f.clock)
	f.sights = append(f.sights, seen)
	f.engine.Follows(feed.Need.Kind)
	store := scoped{f.engine.cluster.store(feed.Need.Kind), feed.Need}
	minor := clientGo(f.engine.o.Profile, f.engine.o.Controllers)
	var waits *depth
	if f.engine.o.Internals != nil {
		waits = newDepth()
	}
	kind := feed.Need.Kind
	queue := newFIFO(minor, store, f.engine.labels.slim, waits, kind.GroupVersion().WithResource(kind.Resource))
	plain := queue
	deliver := func(m *mark) {
		waits.marked(m)
		_ = plain.Add(m) // it has a name, and so a key
	}
	takes := consumer{Follower: f, feed: feed, store: store, seen: seen, inside: f.inside(feed, typeOf(queue), waits, store)}
	if feed.Pages != nil {
		feed.Pages(takes.paged)
	}
	if takes.inside != nil {
		takes.queue = newTimed(queue, minor, waits, f.clock.Now)
		queue = takes.queue
	}
	config := &cache.Config{
		Queue: queue, ListerWatcher: sense(feed.ListerWatcher, seen, takes.inside, deliver, f.ends), Process: takes.one,
		WatchErrorHandlerWithContext: func(_ context.Context, _ *cache.Reflector, err error) {
			if feed.Failed == nil {
				return
			}
			if lasting := feed.Failed(err); lasting != nil {
				f.fail(ctx, feed, lasting)
			}
		},
	}
	if minor >= inBatches {
		config.ProcessBatch = takes.batch
	}
	return config, takes.inside
}

// scoped are the objects of one feed: kinds may have several.
type scoped struct {
	cache.Store
	need view.Need
}

func (s scoped) ListKeys() []string {
	all := s.Store.ListKeys()
	if s.need.Namespace == "" && s.need.Name == "" {
		return all
	}
	var keys []string
	for _, key := range all {
		of := core.Target(s.need.Kind, key)
		if (s.need.Namespace == "" || of.Namespace == s.need.Namespace) && (s.need.Name == "" || of.Name == s.need.Name) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (f *Follower) signal() {
	select {
	case f.wake <- struct{}{}:
	default: // it is awake
	}
}

func deltaOf(k view.Kind, d cache.Delta, initial bool) (Delta, bool) {
	obj, tombstone := d.Object, false
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj, tombstone = t.Obj, true
	}
	m, ok := obj.(metav1.Object)
	return Delta{Type: d.Type, Kind: k, Object: m, Tombstone: tombstone, Initial: initial}, ok
}

// now is without the monotonic part, which a record can't keep.
func (f *Follower) now() time.Time { return f.clock.Now().Round(0).UTC() }

// fail hears that a feed can't be read at all.
func (f *Follower) fail(ctx context.Context, feed Feed, err error) {
	if !feed.Optional {
		f.ends(err)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch gk := feed.Need.Kind.GroupKind(); {
	case !f.engine.traces(gk) && apierrors.IsNotFound(err):
		f.absent[gk] = true
	case f.engine.cluster.unreadable(feed.Need) == nil && ctx.Err() == nil:
		err = fmt.Errorf("%w: %s", err, feed.Need.IfMissing)
		f.record.mark(f.now(), unread, unreadText(feed.Need, err))
		f.engine.Unread(feed.Need, err)
	}
	f.signal()
}

// ends ends the trace with an error, if it is one.
func (f *Follower) ends(err error) {
	if err == nil {
		return
	}
	select {
	case f.failed <- err:
	default: // there is one
	}
}

// patienceForLists is how long the first list of a feed is waited for that a trace can do without.
const patienceForLists = 30 * time.Second

// await waits for the first lists. An end before they are there is an error: nothing was
// traced.
func (f *Follower) await(ctx context.Context, feeds []Feed, syncs []<-chan struct{}) error {
	began, health := f.clock.Now(), f.clock.After(time.Second)
	for n, synced := range syncs {
		for done := false; !done; {
			select {
			case <-ctx.Done():
				return fmt.Errorf("the trace ended after %s, before it began: %s had not been read", f.clock.Since(began).Round(time.Second), feeds[n].Need)
			case err := <-f.failed:
				return err
			case <-synced:
				done = true
				if feeds[n].Synced != nil {
					feeds[n].Synced()
				}
			case <-health:
				if err := f.look(feeds); err != nil {
					return err
				}
				health = f.clock.After(time.Second)
			case <-f.clock.After(100 * time.Millisecond):
				if feeds[n].Optional && f.clock.Since(began) >= patienceForLists {
					f.fail(ctx, feeds[n], fmt.Errorf("%s: not read within %s", feeds[n].Need, patienceForLists))
				}
				done = f.isUnread(feeds[n])
			}
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.now()
	f.record.mark(at, run, "")
	err := f.engine.Run(at)
	f.flush(at)
	return cmp.Or(f.record.Err(), err)
}

func (f *Follower) isUnread(feed Feed) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.notRead(feed)
}

// notRead reports whether a feed was given up. f.mu is held.
func (f *Follower) notRead(feed Feed) bool {
	return f.engine.cluster.unreadable(feed.Need) != nil || f.absent[feed.Need.Kind.GroupKind()]
}

// work runs the workers, and does what is due without an event.
func (f *Follower) work(ctx context.Context, feeds []Feed) error {
	defer f.startWorkers()()
	health := f.clock.After(time.Second)
	for {
		var due <-chan time.Time
		if at := f.nextDue(); !at.IsZero() {
			due = f.clock.After(max(at.Sub(f.now()), 0))
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-f.failed:
			return err
		case <-health:
			if err := f.look(feeds); err != nil {
				return err
			}
			health = f.clock.After(time.Second)
		case <-f.wake: // something may be due earlier
		case <-due:
			f.drain()
		}
	}
}

func (f *Follower) nextDue() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.engine.nextMoment()
}

// drain does what is due by now. Keys whose delay is over are the workers'.
func (f *Follower) drain() {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.now()
	f.record.mark(at, drain, "")
	f.engine.Drain(at)
	f.rouse()
}
