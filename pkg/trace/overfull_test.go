package trace_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestOverfull: a trace ends with an error once it holds too much, by its first lists or later.
func TestOverfull(t *testing.T) {
	long := strings.Repeat("x", 1<<28)
	for name, first := range map[string]int{"at first": 8, "later": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sets := serve(view.ReplicaSets, &appsv1.ReplicaSet{})
				defer sets.Shutdown()
				add := func(n int) {
					set := setOf("web"+strconv.Itoa(n), 0)
					set.Annotations = map[string]string{"long": long}
					sets.Add(set)
				}
				for n := range first {
					add(n)
				}
				began := false
				o := optionsOf(t, trace.Options{Out: func(e *entry.Entry) { began = began || e.Type == entry.Started }})
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				go func() {
					for n := first; n < 8; n++ {
						time.Sleep(time.Second)
						add(n)
					}
				}()
				_, err := trace.Follow(ctx, clock.RealClock{}, o, []trace.Feed{sets.feed}, nil)
				if err == nil || !strings.Contains(err.Error(), "more than 2048 MiB at one time: trace one --namespace") || ctx.Err() != nil {
					t.Errorf("%v, %v", err, ctx.Err())
				}
				if first == 0 && !began {
					t.Error("it did not begin")
				}
			})
		})
	}
}
