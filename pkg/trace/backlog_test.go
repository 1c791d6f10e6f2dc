package trace

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// TestBacklog: a watch is not read on while what it brought waits in the queue, up to some
// bytes, and goes on once that is taken in; it ends when it is stopped meanwhile.
func TestBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := watch.NewFake()
		var mu sync.Mutex
		var marks []*mark
		queue := func(m *mark) {
			mu.Lock()
			defer mu.Unlock()
			marks = append(marks, m)
		}
		s := sense(&cache.ListWatch{WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) { return from, nil }},
			newSight(clock.RealClock{}), nil, queue, func(err error) { t.Error(err) })
		w, err := s.WatchWithContext(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		sent, ended := atomic.Int64{}, atomic.Bool{}
		go func() {
			obj := &unstructured.Unstructured{Object: map[string]any{"long": strings.Repeat("x", 1<<20)}}
			for range 1000 {
				from.Modify(obj)
				sent.Add(1)
			}
		}()
		go func() {
			for range w.ResultChan() {
			}
			ended.Store(true)
		}()
		const most = mostBehind >> 20
		for round := range int64(3) {
			synctest.Wait()
			// The last one is read and not passed on.
			if got := sent.Load(); got < (round+1)*(most-perMark>>20) || got > (round+1)*most+1 {
				t.Fatalf("round %d: %d events of 1 MiB were read", round, got)
			}
			mu.Lock()
			queued := marks
			marks = nil
			mu.Unlock()
			for _, m := range queued {
				s.takes(m)
				s.takes(m) // a list hands it out again
			}
		}
		synctest.Wait()
		w.Stop()
		synctest.Wait()
		if !ended.Load() {
			t.Error("a watch that is stopped goes on")
		}
	})
}
