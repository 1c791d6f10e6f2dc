package trace

import (
	"fmt"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// depth is how much waits in a queue of deltas. A RealFIFO says so itself: depth is its
// provider of metrics. Of a DeltaFIFO, which has none, it counts the keys.
type depth struct {
	name *cache.InformerName

	mu sync.Mutex
	// queued is what client-go counts, marks how many of that are marks of this package.
	queued, marks int
	// live are marks that no list has deleted: one that comes while they wait does.
	live map[*mark]bool
	// keys are those that wait in a DeltaFIFO.
	keys map[string]bool
	most int
}

// names counts the names of queues, each of which client-go wants to be new.
var names atomic.Int64

func newDepth() *depth { return &depth{keys: map[string]bool{}, live: map[*mark]bool{}} }

// identity is the name under which a queue calls its metrics; release it.
func (d *depth) identity(gvr schema.GroupVersionResource) cache.InformerNameAndResource {
	if d == nil {
		return cache.InformerNameAndResource{}
	}
	name, err := cache.NewInformerName(fmt.Sprintf("kubectl-ctrl trace %d", names.Add(1)))
	if err != nil {
		return cache.InformerNameAndResource{} // it is taken: the queue calls no metrics
	}
	d.name = name
	return name.WithResource(gvr)
}

// release gives the name back.
func (d *depth) release() {
	if d != nil {
		d.name.Release()
	}
}

// gauge is a metric of client-go that calls a function.
type gauge func(float64)

// Set and Observe are how client-go calls a metric.
func (g gauge) Set(v float64)     { g(v) }
func (g gauge) Observe(v float64) { g(v) }

// NewQueuedItemMetric counts what is queued.
func (d *depth) NewQueuedItemMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return gauge(func(v float64) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.queued = int(v)
		d.most = max(d.most, d.now())
	})
}

// NewProcessingLatencyMetric is not used: what handlers take is measured for each batch.
func (d *depth) NewProcessingLatencyMetric(cache.InformerNameAndResource) cache.HistogramMetric {
	return gauge(func(float64) {})
}

// NewStoreResourceVersionMetric is not used: the store has no identity, as kinds share it.
func (d *depth) NewStoreResourceVersionMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return gauge(func(float64) {})
}

// now is how much waits. d.mu is held.
func (d *depth) now() int {
	if d.queued == 0 {
		return len(d.keys)
	}
	return max(d.queued-d.marks, 0)
}

// left is how much waits, deepest how much did at most.
func (d *depth) left() (now, deepest int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now(), d.most
}

// marked notes a mark that is queued, unmarked those that are handed out.
func (d *depth) marked(m *mark) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks++
	d.live[m] = true
}

func (d *depth) unmarked(marks []*mark) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks -= len(marks)
	for _, m := range marks {
		delete(d.live, m)
	}
}

// replaced notes a list, which deletes the marks that wait.
func (d *depth) replaced() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks += len(d.live)
	clear(d.live)
}

// queues and pops note objects of a DeltaFIFO.
func (d *depth) queues(objects ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, obj := range objects {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
			d.keys[key] = true
		}
	}
	d.most = max(d.most, d.now())
}

func (d *depth) pops(deltas []cache.Delta) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, delta := range deltas {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(delta.Object); err == nil {
			delete(d.keys, key)
		}
	}
}
