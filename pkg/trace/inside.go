package trace

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

// insider notes what the informer of one feed does, as its wrappers see it. A nil one notes
// nothing. What it holds is guarded by the lock of its Follower.
type insider struct {
	*Follower
	sum     entry.Informer
	started time.Time
	// pages are those of the list that is under way.
	pages []live.Page
	// answered: there was a list that was answered.
	answered bool
	// ended is when the last request ended, and because how, if that leads to another one;
	// failed: it did not end in time.
	ended   time.Time
	because string
	failed  bool

	listing, gaps, queued, handling []time.Duration
	// depth is that of the queue of deltas, store what its deltas go to.
	depth *depth
	store cache.Store
	// latest is what a watch brought last, guarded by itself: a reflector does not wait for
	// syncs.
	latest struct {
		sync.Mutex
		events  int
		version string
	}
}

// inside makes an insider, where the trace is asked for internals.
func (f *Follower) inside(feed Feed, queue string, waits *depth, store cache.Store) *insider {
	if f.engine.o.Internals == nil {
		return nil
	}
	i := &insider{Follower: f, started: f.clock.Now(), depth: waits, store: store, sum: entry.Informer{
		Resource: named(feed.Need), Queue: queue, Deltas: map[string]int{}, Handlers: f.engine.subscribers(feed.Need.Kind),
	}}
	f.insiders = append(f.insiders, i)
	if feed.Pages != nil {
		i.sum.Bytes = new(int64(0))
	}
	return i
}

func named(need view.Need) string {
	if need.Name == "" {
		return need.Kind.Resource
	}
	return need.Kind.Resource + "/" + need.Name
}

// subscribers are the controllers whose handlers get the events of a kind.
func (e *Engine) subscribers(k view.Kind) (all []string) {
	for _, c := range e.controllers {
		for _, w := range c.of.Watches {
			if w.GroupKind() == k.GroupKind() {
				all = append(all, c.of.Name())
			}
		}
	}
	return all
}

// begins locks an insider whose trace has not ended, to count a step and to tell it: what is
// counted is what is told.
func (i *insider) begins() bool {
	if i == nil {
		return false
	}
	i.mu.Lock()
	if i.over() {
		i.mu.Unlock()
		return false
	}
	return true
}

// paged notes a page of a list.
func (i *insider) paged(p live.Page) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pages = append(i.pages, p)
}

// reflected tells a step of the reflector.
//
//go:noinline // it is called at many places
func (i *insider) reflected(did entry.Did, r *entry.Request) {
	i.tell(&entry.Step{Part: entry.ReflectorPart, Source: entry.ClientGo, Resource: i.sum.Resource, Did: did, Request: r})
}

// request is one that began at an instant, with what led to it.
func (i *insider) request(o metav1.ListOptions, began time.Time, err error) *entry.Request {
	r := &entry.Request{ResourceVersion: o.ResourceVersion, Took: decision.Span(i.clock.Since(began)), Because: i.because}
	if i.because != "" {
		gap := began.Sub(i.ended)
		r.After = new(decision.Span(gap))
		if i.failed {
			i.gaps = append(i.gaps, gap)
		}
	}
	i.because = ""
	if err != nil {
		i.sum.Refused++
		r.Error, r.Code = reasonOf(err), codeOf(err)
	}
	return r
}

// ends notes how a request ended that leads to another one.
//
//go:noinline // it is called at many places
func (i *insider) ends(because string, failed bool) {
	i.ended, i.because, i.failed = i.clock.Now(), because, failed
}

func codeOf(err error) int32 {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status().Code
	}
	return 0
}

// lists notes a list that was asked for.
func (i *insider) lists(o metav1.ListOptions, began time.Time, list runtime.Object, err error) {
	if !i.begins() {
		return
	}
	defer i.mu.Unlock()
	r := i.request(o, began, err)
	i.sum.Lists++
	i.takePages(r)
	i.listing = append(i.listing, time.Duration(r.Took))
	if err != nil {
		i.ends("a list failed", true)
		i.reflected(entry.ListFailed, r)
		return
	}
	if i.answered {
		i.sum.Relists++
	}
	i.answered, r.Objects = true, meta.LenList(list)
	if m, err := meta.ListAccessor(list); err == nil {
		r.Got = m.GetResourceVersion()
		i.version(r.Got, 0)
	}
	i.sum.Objects = r.Objects
	i.reflected(entry.Listed, r)
}

// takePages counts the requests of a list.
func (i *insider) takePages(r *entry.Request) {
	if i.sum.Bytes == nil {
		r.Pages = 1
	} else {
		r.Pages, r.Bytes = len(i.pages), new(int64(0))
		for _, p := range i.pages {
			*r.Bytes += p.Bytes
		}
		*i.sum.Bytes += *r.Bytes
		if len(i.pages) > 0 && i.pages[0].ResourceVersion != r.ResourceVersion {
			r.Sent = &i.pages[0].ResourceVersion
		}
	}
	i.sum.Pages += r.Pages
	i.pages = nil
}

// watches notes a watch that was asked for, to last so long.
func (i *insider) watches(o metav1.ListOptions, began time.Time, lasts time.Duration, err error) {
	if !i.begins() {
		return
	}
	defer i.mu.Unlock()
	r := i.request(o, began, err)
	i.sum.Watches++
	r.Timeout, r.Streamed = decision.Span(lasts), o.SendInitialEvents != nil
	if err != nil {
		i.ends("a watch was refused", true)
		i.reflected(entry.WatchFailed, r)
		return
	}
	i.reflected(entry.Watches, r)
}

// streamed notes that a watch has brought a whole list.
func (i *insider) streamed(o metav1.ListOptions, began time.Time, objects int, version string) {
	if !i.begins() {
		return
	}
	defer i.mu.Unlock()
	took := i.clock.Since(began)
	i.sum.Streams++
	i.listing = append(i.listing, took)
	if i.answered {
		i.sum.Relists++
	}
	i.answered, i.sum.Objects = true, objects
	i.version(version, 0)
	i.reflected(entry.Listed, &entry.Request{ResourceVersion: o.ResourceVersion, Streamed: true, Objects: objects, Got: version, Took: decision.Span(took)})
}

// brings notes what a watch brought.
func (i *insider) brings(e watch.Event) {
	switch {
	case e.Type != watch.Error && e.Type != watch.Bookmark:
		if i != nil && !i.over() { // without the lock: a reflector does not wait for syncs
			i.version(versionOf(e.Object), 1)
		}
	case !i.begins():
	case e.Type == watch.Error:
		defer i.mu.Unlock()
		err := apierrors.FromObject(e.Object)
		i.sum.ErrorEvents++
		i.ends("an ERROR event ended the watch", true)
		i.reflected(entry.ErrorEvent, &entry.Request{Error: reasonOf(err), Code: codeOf(err)})
	default:
		defer i.mu.Unlock()
		i.sum.Bookmarks++
		i.version(versionOf(e.Object), 0)
		i.reflected(entry.Bookmarked, &entry.Request{Got: versionOf(e.Object)})
	}
}

// version notes the latest resource version, and events that brought it.
func (i *insider) version(v string, events int) {
	i.latest.Lock()
	defer i.latest.Unlock()
	i.latest.version = v
	i.latest.events += events
}

func versionOf(obj runtime.Object) string {
	if m, err := meta.Accessor(obj); err == nil {
		return m.GetResourceVersion()
	}
	return ""
}

// watched notes that a watch ended without an ERROR event, after it brought some events.
func (i *insider) watched(did entry.Did, began time.Time, lasts time.Duration, events int) {
	if !i.begins() {
		return
	}
	defer i.mu.Unlock()
	i.ends(map[entry.Did]string{
		entry.TimedOut: "the watch timed out", entry.CutOff: "the watch was cut off", entry.Reopened: "the trace ended the watch",
	}[did], did == entry.CutOff)
	i.reflected(did, &entry.Request{Took: decision.Span(i.clock.Since(began)), Timeout: decision.Span(lasts), Objects: events})
}

// await is done when the first list was handed out, and that was told.
func (i *insider) await(ctx context.Context, synced <-chan struct{}) <-chan struct{} {
	if i == nil {
		return synced
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		select {
		case <-synced:
			i.synced()
		case <-ctx.Done():
		}
	}()
	return told
}

// synced notes that the first list was handed out.
func (i *insider) synced() {
	if !i.begins() {
		return
	}
	defer i.mu.Unlock()
	took := decision.Span(i.clock.Since(i.started))
	i.sum.Synced = &took
	i.tell(&entry.Step{
		Part: entry.InformerPart, Source: entry.ClientGo, Resource: i.sum.Resource, Did: entry.InformerSynced,
		Request: &entry.Request{Objects: i.sum.Objects, Took: took},
	})
}

// release gives back what the queue of deltas was named.
func (i *insider) release() {
	if i != nil {
		i.depth.release()
	}
}

// total is what the informer did.
func (i *insider) total() entry.Informer {
	sum := i.sum
	sum.Store = i.store.LastStoreSyncResourceVersion()
	i.latest.Lock()
	defer i.latest.Unlock()
	sum.ResourceVersion, sum.Events = i.latest.version, i.latest.events
	sum.Listing, sum.Gaps, sum.Queued, sum.Handling = percentiles(i.listing), percentiles(i.gaps), percentiles(i.queued), percentiles(i.handling)
	return sum
}
