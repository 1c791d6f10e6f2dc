package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	clientfeatures "k8s.io/client-go/features"
	clientfeaturestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// stepper is a server of Pods on which nothing happens but what a step does.
type stepper struct {
	random *rand.Rand
	// bursts: events come while handlers work, which takes a queue that is not locked then.
	// busy: handlers are slow just now.
	bursts bool
	busy   atomic.Bool

	mu      sync.Mutex
	version int
	pods    map[string]*corev1.Pod
	watch   *watch.FakeWatcher
	// lists and watches count requests.
	lists, watches int
}

func newStepper(seed uint64, bursts bool) *stepper {
	s := &stepper{random: rand.New(rand.NewPCG(seed, 7)), bursts: bursts, pods: map[string]*corev1.Pod{}}
	for range 5 {
		s.change()
	}
	return s
}

// IsWatchListSemanticsUnSupported is how a reflector asks.
func (s *stepper) IsWatchListSemanticsUnSupported() bool { return true }

func (s *stepper) List(metav1.ListOptions) (runtime.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists++
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(s.version)}}
	for n := range podNames {
		if p, there := s.pods[nameOf(n)]; there {
			list.Items = append(list.Items, *p.DeepCopy())
		}
	}
	return list, nil
}

func (s *stepper) Watch(metav1.ListOptions) (watch.Interface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches++
	s.watch = watch.NewFakeWithChanSize(100, false)
	return s.watch, nil
}

const podNames = 12

func nameOf(n int) string { return fmt.Sprintf("web-%d", n) }

// change creates, changes, replaces or deletes a Pod.
func (s *stepper) change() watch.Event {
	s.version++
	name := nameOf(s.random.IntN(podNames))
	p, there := s.pods[name]
	did := watch.Modified
	switch {
	case !there:
		p, did = podNamed("shop", name), watch.Added
	case s.random.IntN(3) == 0:
		did = watch.Deleted
	}
	p = p.DeepCopy()
	p.ResourceVersion = strconv.Itoa(s.version)
	if did == watch.Deleted {
		delete(s.pods, name)
	} else {
		s.pods[name] = p
	}
	return watch.Event{Type: did, Object: p}
}

// window is how long a step lasts: a reflector waits a moment before it lists again.
const window = 3 * time.Minute

// step does one thing: a change or several at once, a bookmark, or a list that is behind
// changes that no watch has shown.
func (s *stepper) step() {
	switch n := s.random.IntN(20); {
	case n < 11:
		s.send(s.change())
	case n < 15:
		s.busy.Store(s.bursts)
		first := s.change()
		s.send(first)
		if s.bursts {
			if first.Type == watch.Deleted {
				break // takes no time
			}
			synctest.Wait() // a handler has begun with the first one
		}
		for range 1 + s.random.IntN(5) {
			s.send(s.change())
		}
	case n < 17:
		s.version++
		s.send(watch.Event{Type: watch.Bookmark, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: strconv.Itoa(s.version)}}})
	case n < 18:
		for range s.random.IntN(12) {
			s.change()
		}
		expired := apierrors.NewResourceExpired("too old resource version").Status()
		s.send(watch.Event{Type: watch.Error, Object: &expired})
	}
	time.Sleep(window)
	synctest.Wait()
	s.busy.Store(false)
}

func (s *stepper) send(e watch.Event) {
	s.mu.Lock()
	w := s.watch
	s.mu.Unlock()
	w.Action(e.Type, e.Object.DeepCopyObject())
}

// resyncs is how often an informer hands out all objects again, unless it lists meanwhile.
const resyncs = 5 * window

// run begins between two steps, so that nothing else happens at the time of one.
func (s *stepper) run(steps int, did func()) {
	time.Sleep(window / 2)
	for range steps {
		synctest.Wait()
		did()
		s.step()
	}
	did()
}

// pace is how fast objects are handled, the same for both informers: each version of one
// takes its time, once.
type pace struct {
	of   *stepper
	seen map[string]bool
}

func (p pace) handles(obj metav1.Object) {
	key := obj.GetName() + "@" + obj.GetResourceVersion()
	if p.seen[key] {
		return
	}
	if p.seen[key] = true; p.of.busy.Load() {
		n, _ := strconv.Atoi(obj.GetResourceVersion())
		time.Sleep(time.Duration(1+n%7) * time.Microsecond)
	}
}

// called is one call of a handler.
type called struct{ object, text string }

// unordered says of which others no order is certain: what is deleted by one list, and what is
// handed out again at once.
func (c called) unordered() string {
	for _, kind := range []string{"again", "missed"} {
		if strings.HasPrefix(c.text, kind) {
			return kind
		}
	}
	return ""
}

// inOrderOf are the calls of one step, in their order as far as that is certain: of a DeltaFIFO
// only that of each object's is.
func inOrderOf(all []called, keyed bool) string {
	byObject := func(a, b called) int { return strings.Compare(a.object, b.object) }
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[from].unordered() != "" && all[to].unordered() == all[from].unordered() {
			to++
		}
		slices.SortStableFunc(all[from:to], byObject)
		from = to
	}
	if keyed {
		slices.SortStableFunc(all, byObject)
	}
	var text strings.Builder
	for _, c := range all {
		fmt.Fprintf(&text, "  %s %s\n", c.text, c.object)
	}
	return text.String()
}

func updated(was, is metav1.Object) string {
	if was == is {
		return "again " + is.GetResourceVersion()
	}
	return "update " + was.GetResourceVersion() + " to " + is.GetResourceVersion()
}

// informerMetrics are what client-go's own metrics of an informer say.
type informerMetrics struct {
	mu              sync.Mutex
	queued, deepest int
	store           string
	spans           []time.Duration
}

func (m *informerMetrics) NewQueuedItemMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return m.gauge(func(v float64) { m.queued, m.deepest = int(v), max(m.deepest, int(v)) })
}

func (m *informerMetrics) NewProcessingLatencyMetric(cache.InformerNameAndResource) cache.HistogramMetric {
	return m.gauge(func(v float64) { m.spans = append(m.spans, time.Duration(v*float64(time.Second))) })
}

func (m *informerMetrics) NewStoreResourceVersionMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return m.gauge(func(v float64) { m.store = strconv.Itoa(int(v)) })
}

func (m *informerMetrics) gauge(set func(float64)) gauge {
	return func(v float64) {
		m.mu.Lock()
		defer m.mu.Unlock()
		set(v)
	}
}

func heldIn(s cache.Store) string {
	var all []string
	for _, obj := range s.List() {
		p := obj.(metav1.Object)
		all = append(all, p.GetName()+"@"+p.GetResourceVersion())
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// lockstep is what an informer came to, step by step.
type lockstep struct {
	// steps are the calls of each step, with what the store held then.
	steps []string
	// queued is how much waited in the end, deepest how much did at most.
	queued, deepest int
	// spans are how long what was handed out at once took.
	spans          []time.Duration
	lists, watches int
	sum            entry.Informer
}

// take ends a step. Up to 1.35 what is handed out again sets the resource version of the store
// back to that of any object, and several keys of a DeltaFIFO come in any order.
func (l *lockstep) take(minor int, calls []called, s cache.Store, version string) {
	again := func(c called) bool { return c.unordered() == "again" }
	lasting := func(c called) bool { return c.unordered() == "" }
	certain := minor >= atomicLists || slices.ContainsFunc(calls, lasting) && !slices.ContainsFunc(calls, again) && (minor >= inOrder || len(calls) == 1)
	if !certain {
		version = "(any)"
	}
	l.steps = append(l.steps, fmt.Sprintf("%s  store %s up to %s", inOrderOf(calls, minor < inOrder), heldIn(s), version))
}

// sharedInformer runs client-go's, as client-go of a release has it.
func sharedInformer(t *testing.T, minor int, seed uint64, steps int) (l lockstep) {
	for gate, since := range map[clientfeatures.Feature]int{
		clientfeatures.InOrderInformers: inOrder, clientfeatures.InOrderInformersBatchProcess: inBatches,
		clientfeatures.AtomicFIFO: atomicLists, clientfeatures.UnlockWhileProcessingFIFO: atomicLists,
	} {
		clientfeaturestesting.SetFeatureDuringTest(t, gate, minor >= since)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s, m := newStepper(seed, minor >= atomicLists), &informerMetrics{}
		pace := pace{s, map[string]bool{}}
		name, err := cache.NewInformerName(fmt.Sprintf("shared informer %d %d", minor, seed))
		if err != nil {
			t.Fatal(err)
		}
		defer name.Release()
		informer := cache.NewSharedIndexInformerWithOptions(s, &corev1.Pod{}, cache.SharedIndexInformerOptions{
			ResyncPeriod: resyncs, Identifier: name.WithResource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}), InformerMetricsProvider: m,
			Indexers: cache.Indexers{"pace": func(obj any) ([]string, error) { // called under way, unlike handlers
				pace.handles(obj.(metav1.Object))
				return nil, nil
			}},
		})
		var mu sync.Mutex
		var calls []called
		add := func(of metav1.Object, text string) {
			mu.Lock()
			defer mu.Unlock()
			calls = append(calls, called{of.GetName(), text})
		}
		handler := cache.ResourceEventHandlerDetailedFuncs{
			AddFunc: func(obj any, initial bool) {
				p := obj.(metav1.Object)
				add(p, fmt.Sprintf("add %s, initial %t", p.GetResourceVersion(), initial))
			},
			UpdateFunc: func(was, is any) {
				add(is.(metav1.Object), updated(was.(metav1.Object), is.(metav1.Object)))
			},
			DeleteFunc: func(obj any) {
				text := "delete "
				if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
					text, obj = "missed deletion "+t.Key+" ", t.Obj
				}
				p := obj.(metav1.Object)
				add(p, text+p.GetResourceVersion())
			},
		}
		if _, err := informer.AddEventHandler(handler); err != nil {
			t.Fatal(err)
		}
		go informer.RunWithContext(ctx)
		s.run(steps, func() {
			mu.Lock()
			defer mu.Unlock()
			m.mu.Lock()
			defer m.mu.Unlock()
			l.take(minor, calls, informer.GetStore(), m.store)
			calls = nil
		})
		m.mu.Lock()
		defer m.mu.Unlock()
		l.queued, l.deepest, l.spans, l.lists, l.watches = m.queued, m.deepest, m.spans, s.lists, s.watches
	})
	return l
}

// followedBy runs that of a trace.
func followedBy(t *testing.T, minor int, seed uint64, steps int) (l lockstep) {
	p, err := profile.New(profile.Options{Emulate: fmt.Sprintf("1.%d", minor)})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := newStepper(seed, minor >= atomicLists)
		pace := pace{s, map[string]bool{}}
		var calls []called
		watcher := controller.Running{
			Controller: controller.Controller{ID: "recorder", Agent: &controller.Agent{}}, Kind: view.ReplicaSets, Watches: []view.Kind{view.Pods},
			Memory: func(clock.PassiveClock) controller.Memory { return nil },
			Handle: func(_ handlers.Cluster, _ profile.Profile, ev handlers.Event) []handlers.Effect {
				c := called{object: ev.Object().GetName()}
				switch ev.Type {
				case handlers.Added:
					c.text = "add " + ev.New.GetResourceVersion()
				case handlers.Updated:
					c.text = updated(ev.Old, ev.New)
				case handlers.Deleted:
					c.text = ev.Old.GetResourceVersion()
				}
				calls = append(calls, c)
				if ev.New != nil {
					pace.handles(ev.New)
				}
				return nil
			},
		}
		var kept bytes.Buffer
		f := &Follower{
			clock: clock.RealClock{}, record: NewRecorder(&kept, Header{}, redact.Keep{}), wake: make(chan struct{}, 1), done: ctx.Done(),
			detector: cache.NewCacheMutationDetector("test"), absent: map[schema.GroupKind]bool{},
		}
		f.engine = New(Options{
			Profile: p, Controllers: []controller.Running{watcher}, Out: func(*entry.Entry) {}, Internals: &Internals{Wall: clock.RealClock{}}, Start: f.now(),
		})
		defer f.engine.Stop()
		config, inside := f.informer(ctx, Feed{Need: view.Need{Kind: view.Pods, Detail: view.Full}, ListerWatcher: s, Example: &corev1.Pod{}})
		defer inside.release()
		config.FullResyncPeriod = resyncs // a trace has none
		go cache.New(config).RunWithContext(ctx)
		store := f.engine.cluster.store(view.Pods)
		s.run(steps, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			for n, d := range keptDeltas(t, f.record, &kept) {
				switch {
				case n >= len(calls):
					t.Fatalf("%d deltas are kept, handlers were called %d times", n+1, len(calls))
				case d.Tombstone:
					calls[n].text = "missed deletion shop/" + calls[n].object + " " + calls[n].text
				case d.Type == cache.Deleted:
					calls[n].text = "delete " + calls[n].text
				case strings.HasPrefix(calls[n].text, "add"):
					calls[n].text += fmt.Sprintf(", initial %t", d.Initial)
				}
			}
			l.take(minor, calls, store, store.LastStoreSyncResourceVersion())
			calls = nil
		})
		l.queued, l.deepest = inside.depth.left()
		l.lists, l.watches, l.sum, l.spans = s.lists, s.watches, inside.total(), inside.handling
	})
	return l
}

// keptDeltas are those that a record got since it was last asked.
func keptDeltas(t *testing.T, r *Recorder, text *bytes.Buffer) (all []Delta) {
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	for kept := range bytes.SplitSeq(text.Bytes(), []byte("\n")) {
		var d struct {
			Type               cache.DeltaType
			Tombstone, Initial bool
		}
		if len(kept) > 0 {
			if err := json.Unmarshal(kept, &d); err != nil {
				t.Fatal(err)
			}
		}
		if d.Type != "" {
			all = append(all, Delta{Type: d.Type, Tombstone: d.Tombstone, Initial: d.Initial})
		}
	}
	text.Reset()
	return all
}

// TestInformersInLockstep: on the same steps of a server, the consumer of a trace calls
// handlers as client-go's shared informer does, in the same order and with the same arguments,
// its store holds the same and is up to the same resource version, and what it counts is what
// the metrics of client-go's informer say (InformerMetricsProvider of tools/cache, v0.37.1).
func TestInformersInLockstep(t *testing.T) {
	for _, minor := range []int{32, 34, 35, 37} {
		t.Run(fmt.Sprintf("1.%d", minor), func(t *testing.T) {
			const steps = 1500
			var want lockstep
			t.Run("client-go", func(t *testing.T) { want = sharedInformer(t, minor, 1, steps) }) // its gates are those of the release
			got := followedBy(t, minor, 1, steps)
			for n := range want.steps {
				if got.steps[n] != want.steps[n] {
					t.Fatalf("step %d: got\n%s\nwant\n%s", n, got.steps[n], want.steps[n])
				}
			}
			all := strings.Join(want.steps, "\n")
			for text, least := range map[string]int{
				"add": 400, "initial true": 5, "initial false": 400, "update": 1000, "again": 1000, "delete": 400, "missed deletion": 50,
			} {
				if n := strings.Count(all, "  "+text) + strings.Count(all, ", "+text); n < least {
					t.Errorf("%s: %d times, want at least %d", text, n, least)
				}
			}
			got.counts(t, minor, want)
		})
	}
}

// counts compares numbers. A DeltaFIFO has no metrics. How much of several events is handed out
// at once is certain where none is, or where the test holds the queue.
func (l *lockstep) counts(t *testing.T, minor int, want lockstep) {
	if l.lists != want.lists || l.sum.Lists != want.lists || l.sum.Watches != want.watches {
		t.Errorf("%+v, the server of client-go's got %d lists and %d watches", l.sum, want.lists, want.watches)
	}
	if minor < inOrder {
		return
	}
	if l.queued != want.queued {
		t.Errorf("%d wait, client-go says %d", l.queued, want.queued)
	}
	if minor >= inBatches && minor < atomicLists {
		return
	}
	if l.sum.Deepest != want.deepest || l.sum.Pops != len(want.spans) {
		t.Errorf("at most %d waited, %d times handed out, client-go says %d and %d", l.sum.Deepest, l.sum.Pops, want.deepest, len(want.spans))
	}
	if !slices.Equal(l.spans, want.spans) {
		t.Errorf("client-go says\n%v\ngot\n%v", want.spans, l.spans)
	}
}
