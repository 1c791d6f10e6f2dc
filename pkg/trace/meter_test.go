package trace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// plain is a provider of metrics as any program has one, for a queue of client-go's own.
type plain struct {
	adds, depth, retries float64
	waited, worked       []float64
}

type number struct{ to *float64 }

func (n number) Inc()        { *n.to++ }
func (n number) Dec()        { *n.to-- }
func (n number) Set(float64) {}

type list struct{ to *[]float64 }

func (l list) Observe(v float64) { *l.to = append(*l.to, v) }

func (p *plain) NewDepthMetric(string) workqueue.GaugeMetric       { return number{&p.depth} }
func (p *plain) NewAddsMetric(string) workqueue.CounterMetric      { return number{&p.adds} }
func (p *plain) NewRetriesMetric(string) workqueue.CounterMetric   { return number{&p.retries} }
func (p *plain) NewLatencyMetric(string) workqueue.HistogramMetric { return list{&p.waited} }
func (p *plain) NewWorkDurationMetric(string) workqueue.HistogramMetric {
	return list{&p.worked}
}
func (p *plain) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return number{new(float64)}
}
func (p *plain) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return number{new(float64)}
}

// TestMeterCountsAsClientGo: a trace's queue tells what the metrics of client-go's own
// queue tell that gets the same calls.
func TestMeterCountsAsClientGo(t *testing.T) {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	random, wall := rand.New(rand.NewPCG(1, 2)), clocktesting.NewFakeClock(start)
	m := newMeter(&Internals{Wall: wall})
	q := newQueue(clocktesting.NewFakeClock(start), "replicasets", m)
	defer q.stop()
	p := &plain{}
	theirs := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Name: "theirs", MetricsProvider: p, Clock: wall})
	defer theirs.ShutDown()
	adds, deepest, working := 0, 0, false
	key := ""
	for range 5000 {
		wall.Step(time.Duration(random.IntN(1000)) * time.Microsecond)
		switch {
		case working: // a sync adds nothing at once
			q.ready.Done(key)
			theirs.Done(key)
			working = false
		case random.IntN(2) == 0:
			key := fmt.Sprintf("shop/web-%d", random.IntN(20))
			q.Add(key, 0)
			theirs.Add(key)
			adds++
			deepest = max(deepest, theirs.Len())
		case theirs.Len() > 0:
			key, _, working = q.get()
			if other, _ := theirs.Get(); other != key {
				t.Fatalf("got %s, client-go %s", key, other)
			}
		}
	}
	got := m.sum("replicasets")
	if got.Adds != int(p.adds) || got.Depth != int(p.depth) || got.Merged != adds-int(p.adds) || got.Deepest != deepest || got.Merged == 0 {
		t.Errorf("got %+v, client-go %+v of %d adds, at most %d", got, p, adds, deepest)
	}
	if !alike(m.waited, p.waited) || !alike(m.worked, p.worked) || len(p.worked) < 1000 {
		t.Errorf("waited %d and worked %d times, client-go %d and %d", len(m.waited), len(m.worked), len(p.waited), len(p.worked))
	}
}

// TestMeterKeepsUnfinishedWork: client-go looks twice a second at the keys that are synced;
// the most that it finds is kept.
func TestMeterKeepsUnfinishedWork(t *testing.T) {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	wall := clocktesting.NewFakeClock(start)
	m := newMeter(&Internals{Wall: wall})
	q := newQueue(clocktesting.NewFakeClock(start), "replicasets", m)
	defer q.stop()
	finds := func(want time.Duration) {
		t.Helper()
		wall.Step(500 * time.Millisecond)
		for range 500 { // by a goroutine of client-go's
			if sum := m.sum("replicasets"); *sum.Unfinished == decision.Span(want) && *sum.Longest == decision.Span(want) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("%s wanted, %+v", want, m.sum("replicasets"))
	}
	for !wall.HasWaiters() {
		time.Sleep(time.Millisecond)
	}
	q.Add("shop/web", 0)
	if _, _, ok := q.get(); !ok {
		t.Fatal("no key")
	}
	finds(500 * time.Millisecond)
	finds(time.Second)
	q.ready.Done("shop/web")
	finds(time.Second)
	if sum := newMeter(&Internals{}).sum("replicasets"); sum.Unfinished != nil || sum.Longest != nil {
		t.Errorf("a replay measures time: %+v", sum)
	}
}

func alike(spans []time.Duration, seconds []float64) bool {
	return slices.EqualFunc(spans, seconds, func(d time.Duration, s float64) bool { return d == time.Duration(s*float64(time.Second)) })
}

// TestMeterCountsDelays: what is kept back is told apart by its cause; client-go counts all
// of it, and what only wakes the queue, as retries.
func TestMeterCountsDelays(t *testing.T) {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	c, m := clocktesting.NewFakeClock(start), newMeter(&Internals{})
	q := newQueue(c, "replicasets", m)
	defer q.stop()
	var want []time.Duration
	for n := range 3 {
		_, delay := q.Fail("shop/web")
		if want = append(want, delay); delay != 5*time.Millisecond<<n {
			t.Errorf("failure %d: %s", n+1, delay)
		}
		c.SetTime(q.next())
		q.release()
		if key, _, ok := q.get(); !ok || key != "shop/web" {
			t.Fatalf("got %q", key)
		}
		q.ready.Done("shop/web")
	}
	q.Add("shop/web", time.Minute)
	if q.Add("shop/web", time.Hour) != entry.Waiting { // longer than it is kept back already
		t.Error("it is delayed twice")
	}
	if !slices.Equal(m.failed, want) || !slices.Equal(m.delayed, []time.Duration{time.Minute}) {
		t.Errorf("failed %v, delayed %v", m.failed, m.delayed)
	}
	const nudges = 3
	if m.calls != len(m.failed)+len(m.delayed)+nudges {
		t.Errorf("client-go counts %d retries", m.calls)
	}
	sum := m.sum("replicasets")
	if sum.Waited != nil || sum.Worked != nil || sum.NotRecorded == "" {
		t.Errorf("a replay measures time: %+v", sum)
	}
	if f := sum.Failed; f.Count != 3 || f.Half != decision.Span(10*time.Millisecond) || f.NinetyNine != f.Most || f.Most != decision.Span(20*time.Millisecond) {
		t.Errorf("%+v", f)
	}
}

func TestPercentiles(t *testing.T) {
	if percentiles(nil) != nil {
		t.Error("percentiles of nothing")
	}
	var all []time.Duration
	for n := range 200 {
		all = append(all, time.Duration(200-n))
	}
	if got := percentiles(all); *got != (entry.Percentiles{Count: 200, Half: 100, NinetyNine: 198, Most: 200}) {
		t.Errorf("got %+v", got)
	}
	if all[0] != 200 {
		t.Error("the spans were sorted in place")
	}
}
