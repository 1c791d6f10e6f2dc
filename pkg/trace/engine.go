package trace

import (
	"cmp"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/tools/cache"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Options say what to trace.
type Options struct {
	Profile     profile.Profile
	Controllers []controller.Running
	// Picks reports whether an object is traced; nil traces all.
	Picks func(k view.Kind, obj metav1.Object) bool
	// Named are the targets that were asked for by name: that the first lists hold none of
	// them is an error, an *Absent.
	Named []view.Target
	// Namespace is the one that is traced, empty for all.
	Namespace string
	// Out gets every entry, in order.
	Out func(*entry.Entry)
	// Brief leaves out events and those syncs that come to nothing.
	Brief bool
	// Internals asks for a last entry about the machinery; nil for none.
	Internals *Internals
	// Workers are how many keys of each controller are synced at a time, by its name in its
	// manager, where others run the workers: 1 of those that are left out. nil: the engine syncs
	// what it is fed itself, one key after the other.
	Workers map[string]int
	// Start is the instant at which the clock starts.
	Start time.Time
	// Confirmed: whoever feeds the engine confirms, when it wants that, until when
	// every change was fed. Nobody is called late without.
	Confirmed bool
}

// Engine is a controller manager in dry run. It is not safe for concurrent
// use: whoever feeds it does so from one goroutine.
type Engine struct {
	o           Options
	clock       *clocktesting.FakeClock
	cluster     *cluster
	controllers []*runner
	// early are acts of targets that are not in the cache yet, by UID.
	early map[types.UID][]*act
	// watched are the shadows that time may bring to another verdict.
	watched map[*shadow]bool
	// running is false until the first lists are read: workers wait for them. listed is the
	// newest resource version that was seen until then of what is traced, or made by that.
	running bool
	// unsaid is what there is to say until then: it comes behind what a trace begins with.
	unsaid []*entry.Entry
	listed string
	// labels are those that the controllers write on Pods.
	labels podLabels
	// made are the kinds of what the controllers create, delete and scale: acts are
	// seen on these.
	made map[schema.GroupKind]bool
	sum  *entry.Summary
	watching
	pacing
	// renewed is when each Lease was last seen to be renewed.
	renewed map[string]time.Time
	// detects says whether a mutation detector runs.
	detects string
	// told is what was said of the machinery, spans what a record holds of that.
	told, spans *entry.Internals
	telling
	grouped
	// cutOff: a record that is replayed has no end.
	cutOff bool
	// flights are the keys that workers of a replay are busy with.
	flights map[flightOf]*flight
	// held is what the record of a replay holds.
	held held
}

// runner is one of the controllers, as it runs here.
type runner struct {
	of      controller.Running
	core    core.Controller
	queue   *queue
	memory  controller.Memory
	shadows map[string]*shadow
	// workers are how many keys are synced at a time.
	workers int
	// added tells workers of keys that are ready.
	added *sync.Cond
	// lastAct is when the real one was last seen to do anything.
	lastAct time.Time
}

// New prepares an engine. Stop it.
func New(o Options) *Engine {
	e := &Engine{
		o: o, clock: clocktesting.NewFakeClock(o.Start), cluster: newCluster(o),
		early: map[types.UID][]*act{}, watched: map[*shadow]bool{}, renewed: map[string]time.Time{}, flights: map[flightOf]*flight{},
		sum: &entry.Summary{}, watching: watching{seeing: o.Start}, pacing: pacing{nextTick: o.Start.Add(tick), fed: o.Start},
	}
	e.labels, e.made = labelsOf(o.Controllers), madeBy(o.Controllers)
	for _, c := range o.Controllers {
		r := &runner{of: c, queue: newQueue(e.clock, c.Kind.Resource, newMeter(o.Internals)), memory: c.Memory(e.clock), shadows: map[string]*shadow{}}
		r.workers = max(o.Workers[r.of.Name()], 1)
		r.core = core.Controller{Handle: c.Handle, Memory: r.memory, Queue: r.queue, Retries: c.Agent.Retries}
		e.controllers = append(e.controllers, r)
		e.cluster.store(c.Kind)
	}
	return e
}

// Stop ends the goroutines of the work queues.
func (e *Engine) Stop() {
	for _, c := range e.controllers {
		c.queue.stop()
	}
}

// traces reports whether controllers of a kind are traced.
func (e *Engine) traces(k schema.GroupKind) bool {
	return slices.ContainsFunc(e.controllers, func(c *runner) bool { return c.of.Kind.GroupKind() == k })
}

// Follows says that a kind is read.
func (e *Engine) Follows(k view.Kind) { e.cluster.store(k) }

// Feed takes deltas that arrived at an instant: the cache has all of them before the first
// handler is called, as when client-go's informer takes in a list at once. Keys that they
// queue are synced by the next Drain, or when the clock has moved past a delayed one. It
// returns which handlers an informer calls.
func (e *Engine) Feed(at time.Time, deltas ...Delta) (called []handlers.Type) {
	e.advance(at)
	e.hears()
	e.sum.Events += len(deltas)
	if e.running {
		for _, d := range deltas {
			e.peek(d)
		}
	}
	events := make([]handlers.Event, 0, len(deltas))
	for _, d := range deltas {
		events = append(events, eventOf(d, e.cluster.apply(d)))
	}
	for n, d := range deltas {
		e.noteRenewal(d)
		e.noteGap(d)
		e.noteListed(d)
		e.noteEnd(d)
		if e.made[d.Kind.GroupKind()] && (!d.Initial || e.running) {
			for _, a := range e.labels.actsOf(at, events[n]) {
				e.saw(a)
			}
		}
		e.handle(d, events[n])
		called = append(called, events[n].Type)
	}
	return called
}

// noteListed notes how new the state is from which the first syncs begin.
func (e *Engine) noteListed(d Delta) {
	k, version := d.Kind.GroupKind(), d.Object.GetResourceVersion()
	if !e.running && (e.made[k] || e.traces(k)) && newer(version, e.listed) {
		e.listed = version
	}
}

// noteEnd notes the end of a target; that of a tombstone is not known.
func (e *Engine) noteEnd(d Delta) {
	for _, c := range e.controllers {
		if c.of.Kind.GroupKind() != d.Kind.GroupKind() {
			continue
		}
		if s, ok := c.shadows[keyOf(d.Object.GetNamespace(), d.Object.GetName())]; ok {
			s.noteEnd(d.Object, d.Type == cache.Deleted && !d.Tombstone)
		}
	}
}

// newer reports whether a resource version is not known to be as old as another, or older.
//
//go:noinline // it is called at many places
func newer(version, than string) bool {
	order, err := resourceversion.CompareResourceVersion(version, than)
	return err != nil || order > 0
}

// eventOf is the call of a handler that an informer makes of a delta
// (processDeltas of client-go's tools/cache/controller.go, v0.37.1).
func eventOf(d Delta, was metav1.Object) handlers.Event {
	if d.Type != cache.Deleted {
		return handlers.EventOf(d.Kind, was, d.Object)
	}
	// The object that comes with a deletion is the last one, and newer than the cache.
	if was == nil || !d.Tombstone {
		was = d.Object
	}
	return handlers.EventOf(d.Kind, was, nil)
}

// Run lets the workers begin: the first lists are read. Its error is that of a namespace that
// does not exist, or joins an *Absent for each target that was named, where none of them is
// there; then no worker begins.
func (e *Engine) Run(at time.Time) error {
	e.advance(at)
	e.hears()
	if err := cmp.Or(e.noNamespace(), e.nothingNamed()); err != nil {
		return err
	}
	e.running = true
	e.started()
	for _, said := range e.unsaid {
		e.o.Out(said)
	}
	e.unsaid = nil
	e.drain()
	return nil
}

// Drain does what is due by an instant, and syncs what is queued then, unless others run the
// workers.
func (e *Engine) Drain(at time.Time) {
	e.advance(at)
	e.drain()
}

// drain syncs what is queued, unless others run the workers.
func (e *Engine) drain() {
	if e.running && e.o.Workers == nil {
		e.syncAll()
	}
}

// reads sets what sums up the informers that feed it, and what watches their objects.
func (e *Engine) reads(informers func() []entry.Informer, d cache.MutationDetector) {
	e.informers, e.detects = informers, detects(d)
}

// tellBefore sets what is called before the next entry, once; nil for nothing.
func (e *Engine) tellBefore(first func()) { e.before = first }

// tellFirst says what is to be said before anything else.
func (e *Engine) tellFirst() {
	if first := e.before; first != nil {
		e.before = nil
		first()
	}
}

// takeSynced returns what workers did with keys, and forgets it.
func (e *Engine) takeSynced() []*entry.Step {
	all := e.worked
	e.worked = nil
	return all
}

func (e *Engine) emit(said *entry.Entry) {
	said.At = e.clock.Now()
	if !e.running {
		e.unsaid = append(e.unsaid, said)
		return
	}
	e.tellFirst()
	e.o.Out(said)
}

func (e *Engine) picks(k view.Kind, obj metav1.Object) bool {
	return e.o.Picks == nil || e.o.Picks(k, obj)
}

//go:noinline // it is called at many places
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func keyOf(namespace, name string) string {
	return types.NamespacedName{Namespace: namespace, Name: name}.String()
}

func sortStrings(s []string) { slices.Sort(s) }
