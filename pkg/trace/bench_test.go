package trace_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// The size of the cluster that is traced.
const (
	benchPods = 20_000
	benchSets = 440

	eventsPerOp = 1000
)

// BenchmarkEvents traces 20,000 pods in 440 ReplicaSets of one namespace through
// client-go's informers. An operation is a thousand events: the readiness of a
// pod changes, which its set's controller handles and syncs. It tells events/s and
// the memory that the trace holds besides its source, in MB.
func BenchmarkEvents(b *testing.B) {
	took, held := events(b, b.N, true, nil)
	b.ReportMetric(float64(b.N*eventsPerOp)/took.Seconds(), "events/s")
	b.ReportMetric(held, "MB")
}

// BenchmarkInternals traces the same with and without internals, in turn: how much more
// processor time an event takes with them, how much more is allocated for it, and how much
// more memory is held, each as the ratio of the medians of several runs.
func BenchmarkInternals(b *testing.B) {
	for name, brief := range map[string]bool{"brief": true, "every-event": false} {
		b.Run(name, func(b *testing.B) { internals(b, brief) })
	}
}

func internals(b *testing.B, brief bool) {
	var spent, allocated, held [2][]float64
	for range rounds {
		for n, i := range []*trace.Internals{nil, {Wall: clock.RealClock{}}} {
			cpu, bytes := processorTime(), allocatedBytes()
			_, mb := events(b, b.N, brief, i)
			spent[n] = append(spent[n], processorTime()-cpu)
			allocated[n] = append(allocated[n], allocatedBytes()-bytes)
			held[n] = append(held[n], mb)
		}
	}
	for name, v := range map[string][2][]float64{"cpu-ratio": spent, "alloc-ratio": allocated, "memory-ratio": held} {
		b.ReportMetric(median(v[1])/median(v[0]), name)
	}
}

// rounds is how often a trace with internals and one without are compared.
const rounds = 7

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// processorTime is what this process spent in its own code, in seconds; what the garbage
// collector spends is part of it.
func processorTime() float64 {
	samples := []metrics.Sample{{Name: "/cpu/classes/user:cpu-seconds"}, {Name: "/cpu/classes/gc/total:cpu-seconds"}}
	runtime.GC() // brings them up to date
	metrics.Read(samples)
	return samples[0].Value.Float64() + samples[1].Value.Float64()
}

// allocatedBytes is what was allocated so far.
func allocatedBytes() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.TotalAlloc)
}

// events feeds a trace n thousand events. It returns how long that took and what the trace
// holds besides its source, in MB.
func events(b *testing.B, n int, brief bool, internals *trace.Internals) (took time.Duration, held float64) {
	pods, sets := serve(view.Pods, &corev1.Pod{}), serve(view.ReplicaSets, &appsv1.ReplicaSet{})
	mark := setOf("mark", 0)
	sets.Add(mark)
	all := populate(pods, sets)
	before := heap()
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	entries, ended := make(chan *entry.Entry, 1<<16), make(chan struct{})
	go func() {
		defer close(ended)
		_, err := trace.Follow(ctx, clock.RealClock{}, trace.Options{
			Profile: p, Controllers: trace.Running(plugins.All(), nil), Brief: brief, Out: func(e *entry.Entry) { entries <- e }, Internals: internals,
		}, []trace.Feed{pods.feed, sets.feed}, nil)
		if err != nil {
			b.Error(err)
		}
	}()
	await(entries, func(e *entry.Entry) bool { return e.Type == entry.Started })
	want := setOf("mark", 1)
	want.Generation = 2
	sets.Modify(want)
	await(entries, func(e *entry.Entry) bool { return e.Sync != nil && len(e.Sync.Action) > 0 })
	held = heap() - before

	b.ResetTimer()
	start := time.Now()
	for n := range n * eventsPerOp {
		pod := all[n*7919%len(all)].DeepCopy()
		pod.Annotations = map[string]string{"n": strconv.Itoa(n)}
		pod.Status.Conditions = []corev1.PodCondition{readyIf(n%2 == 0)}
		pods.Modify(pod)
	}
	pods.Add(podOf(want, 0))
	await(entries, func(e *entry.Entry) bool { return e.Act != nil })
	took = time.Since(start)
	b.StopTimer()
	cancel()
	<-ended
	return took, held
}

func populate(pods, sets served) []*corev1.Pod {
	var all []*corev1.Pod
	for s := range benchSets {
		size := benchPods / benchSets
		if s < benchPods%benchSets {
			size++
		}
		set := setOf(fmt.Sprintf("set-%d", s), int32(size))
		sets.Add(set)
		for n := range size {
			pod := podOf(set, n)
			pod.Status.Conditions = []corev1.PodCondition{readyIf(true)}
			all = append(all, pod)
			pods.Add(pod)
		}
	}
	return all
}

func readyIf(ready bool) corev1.PodCondition {
	c := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Now()}
	if ready {
		c.Status = corev1.ConditionTrue
	}
	return c
}

func await(entries <-chan *entry.Entry, match func(*entry.Entry) bool) {
	for e := range entries {
		if match(e) {
			return
		}
	}
}

// heap is what is in use, in MB.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse) / (1 << 20)
}
