package trace

import (
	"context"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// Internals asks a trace to tell what the machinery did.
type Internals struct {
	// Wall is the clock that spans are measured by; nil in a replay, which has none.
	Wall clock.WithTicker
	// Detector is what is known of the manager's mutation detector.
	Detector entry.Detector
	// Workers are those of the managers, by the name of the controller.
	Workers map[string]entry.Workers
	// Metrics reads those of the managers; nil where there is no manager to ask.
	Metrics func(context.Context) Metrics
}

// meter counts what client-go's work queue does. The queue tells it by itself: the meter
// is its provider of metrics, and the list that its ready keys lie in.
type meter struct {
	workqueue.Queue[string]
	wall clock.WithTicker

	mu sync.Mutex
	// adds are keys that were queued; merged are those that were added while they lay in
	// the queue.
	adds, merged int
	// depth is how many keys lie in the queue, deepest how many ever did.
	depth, deepest int
	// waited is how long each key lay in the queue, worked how long its sync took.
	waited, worked []time.Duration
	// failed are the delays of failed syncs, delayed those that syncs and handlers ask for.
	failed, delayed []time.Duration
	// calls are those of AddAfter that client-go counts as retries.
	calls int
	// unfinished is how long the keys that are synced took until then at most, all of them
	// and the one that runs longest, as often as client-go looks.
	unfinished, longest time.Duration
	// touched counts how often each key was added while it lay in the queue, met how often
	// while it was synced, and inFlight all of the latter.
	touched, met map[string]int
	inFlight     int
}

func newMeter(i *Internals) *meter {
	if i == nil {
		return nil
	}
	return &meter{Queue: workqueue.DefaultQueue[string](), wall: i.Wall, touched: map[string]int{}, met: map[string]int{}}
}

// configure makes a queue tell the meter.
func (m *meter) configure(name string, c *workqueue.TypedQueueConfig[string]) {
	c.Name, c.MetricsProvider, c.Queue = name, m, m
	if m.wall != nil {
		c.Clock = m.wall
	}
}

// Touch is called for a key that is added while it lies in the queue.
func (m *meter) Touch(key string) {
	m.note(func() {
		m.merged++
		m.touched[key]++
	})
	m.Queue.Touch(key)
}

// meets notes that a key is added while it is synced.
func (m *meter) meets(key string) {
	if m != nil {
		m.note(func() {
			m.inFlight++
			m.met[key]++
		})
	}
}

func (m *meter) note(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// fails and delays note how long a key is kept back.
func (m *meter) fails(d time.Duration) {
	if m != nil {
		m.note(func() { m.failed = append(m.failed, d) })
	}
}

func (m *meter) delays(d time.Duration) {
	if m != nil {
		m.note(func() { m.delayed = append(m.delayed, d) })
	}
}

// tally is a metric of client-go: each method calls a function.
type tally struct {
	inc, dec     func()
	observe, set func(seconds float64)
}

func (t tally) Inc()                    { t.inc() }
func (t tally) Dec()                    { t.dec() }
func (t tally) Observe(seconds float64) { t.observe(seconds) }
func (t tally) Set(seconds float64)     { t.set(seconds) }

// NewDepthMetric counts the keys in the queue.
func (m *meter) NewDepthMetric(string) workqueue.GaugeMetric {
	return tally{
		inc: func() { m.note(func() { m.depth++; m.deepest = max(m.deepest, m.depth) }) },
		dec: func() { m.note(func() { m.depth-- }) },
	}
}

// NewAddsMetric counts the keys that are queued.
func (m *meter) NewAddsMetric(string) workqueue.CounterMetric {
	return tally{inc: func() { m.note(func() { m.adds++ }) }}
}

// NewLatencyMetric collects how long keys lie in the queue.
func (m *meter) NewLatencyMetric(string) workqueue.HistogramMetric { return m.spans(&m.waited) }

// NewWorkDurationMetric collects how long syncs take.
func (m *meter) NewWorkDurationMetric(string) workqueue.HistogramMetric { return m.spans(&m.worked) }

func (m *meter) spans(all *[]time.Duration) tally {
	return tally{observe: func(seconds float64) {
		m.note(func() { *all = append(*all, time.Duration(seconds*float64(time.Second))) })
	}}
}

// NewRetriesMetric counts what is added for later.
func (m *meter) NewRetriesMetric(string) workqueue.CounterMetric {
	return tally{inc: func() { m.note(func() { m.calls++ }) }}
}

// NewUnfinishedWorkSecondsMetric keeps how much work was unfinished at most.
func (m *meter) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return m.most(&m.unfinished)
}

// NewLongestRunningProcessorSecondsMetric keeps how long a sync ran at most.
func (m *meter) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return m.most(&m.longest)
}

func (m *meter) most(d *time.Duration) tally {
	return tally{set: func(seconds float64) {
		m.note(func() { *d = max(*d, time.Duration(seconds*float64(time.Second))) })
	}}
}

// sum is what was counted of the queue of a kind.
func (m *meter) sum(resource string) entry.WorkQueue {
	m.mu.Lock()
	defer m.mu.Unlock()
	q := entry.WorkQueue{
		Resource: resource, Adds: m.adds, Merged: m.merged, InFlight: m.inFlight, Depth: m.depth, Deepest: m.deepest,
		Failed: percentiles(m.failed), Delayed: percentiles(m.delayed),
	}
	if m.wall == nil {
		q.NotRecorded = notRecorded
		return q
	}
	q.Waited, q.Worked = percentiles(m.waited), percentiles(m.worked)
	q.Unfinished, q.Longest = new(decision.Span(m.unfinished)), new(decision.Span(m.longest))
	return q
}

// percentiles are those of spans by nearest rank; nil for none.
func percentiles(spans []time.Duration) *entry.Percentiles {
	if len(spans) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(spans))
	at := func(percent int) decision.Span {
		return decision.Span(sorted[max((len(sorted)*percent+99)/100, 1)-1])
	}
	return &entry.Percentiles{Count: len(sorted), Half: at(50), NinetyNine: at(99), Most: at(100)}
}
