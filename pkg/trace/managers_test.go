package trace_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
)

// TestManagersMetrics: what the manager's metrics count is told from the start of the trace
// to its end, or why not, and a replay tells the same.
func TestManagersMetrics(t *testing.T) {
	pods, sets := schema.GroupResource{Resource: "pods"}, schema.GroupResource{Group: "apps", Resource: "replicasets"}
	counted := func(q manager.Queue, of manager.Informer) manager.Counted {
		return manager.Counted{Queues: map[string]manager.Queue{"replicaset": q}, Informers: map[schema.GroupResource]manager.Informer{pods: of}}
	}
	before := counted(manager.Queue{Adds: 10, Retries: 2, Depth: 4, Waited: manager.Spans{Count: 6, Sum: time.Second}, Worked: manager.Spans{Count: 6, Sum: time.Second}},
		manager.Informer{Version: 300, Queued: 7, Popped: manager.Spans{Count: 4, Sum: time.Second}})
	after := counted(manager.Queue{
		Adds: 13, Retries: 3, Depth: 1, Longest: 2 * time.Second,
		Waited: manager.Spans{Count: 9, Sum: time.Second + 6*time.Millisecond}, Worked: manager.Spans{Count: 8, Sum: time.Second + 30*time.Millisecond},
	}, manager.Informer{Version: 312, Queued: 1, Popped: manager.Spans{Count: 7, Sum: time.Second + 6*time.Millisecond}})
	unlike := counted(manager.Queue{}, manager.Informer{})
	delete(unlike.Queues, "replicaset")
	gone := errors.New("its metrics are gone")
	type answer struct {
		counted manager.Counted
		err     error
	}
	for name, test := range map[string]struct {
		answers []answer
		slow    bool
		want    string
		asked   int
	}{
		"between": {[]answer{{before, nil}, {after, nil}}, false,
			"in the manager: 3 adds, 1 added for later, 1 left, by its /metrics (queue replicaset); in the queue: 3 times, 2ms on average; in syncs: 2 times, 15ms on average; one sync runs since 2s", 2},
		"restarted":     {[]answer{{after, nil}, {before, nil}}, false, "in the manager: 10 adds, 2 added for later, 4 left, by its /metrics (queue replicaset), since it started again; in the queue: 6 times, ", 2},
		"no such queue": {[]answer{{before, nil}, {unlike, nil}}, false, "in the manager: not visible: its /metrics know no queue replicaset", 2},
		"never":         {[]answer{{err: gone}}, false, "in the manager: not visible: its metrics are gone", 1},
		"gone later":    {[]answer{{before, nil}, {err: gone}}, false, "in the manager: not visible: its metrics are gone", 2},
		"not in time":   {[]answer{{before, nil}, {after, nil}}, true, "in the manager: not visible: its metrics had not come when the trace ended", 1},
		"nobody asked":  {nil, false, "in the manager: not recorded", 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			m := machine{fault: from(well, 0, 0), last: time.Minute}
			if test.answers != nil {
				m.metrics = func(ctx context.Context) trace.Metrics {
					if ctx.Err() != nil {
						t.Errorf("asked with a context that is over: %v", ctx.Err())
					}
					a := test.answers[asked]
					asked++
					if test.slow {
						<-ctx.Done()
					}
					return func(controller.Running) (manager.Counted, error) { return a.counted, a.err }
				}
			}
			s := m.run(t)
			if line := lineWith(s.printed.String(), "in the manager: "); !strings.HasPrefix(line, test.want) {
				t.Errorf("got  %q\nwant %q", line, test.want)
			}
			for of, want := range map[schema.GroupResource]string{
				sets: "not visible: in none of its metrics",
				pods: "1 in the delta queue; 3 pops, 2ms on average until handlers are told; store: resourceVersion 312",
			} {
				want = "in the manager, informer of " + of.Resource + ": " + want
				if line := lineWith(s.printed.String(), "in the manager, informer of "+of.Resource); name == "between" && line != want {
					t.Errorf("got  %q\nwant %q", line, want)
				}
			}
			if asked != test.asked {
				t.Errorf("asked %d times, want %d", asked, test.asked)
			}
			if again := s.replay(t, &trace.Internals{}); again != s.printed.String() {
				t.Errorf("the replay tells otherwise:\n%s\nwant:\n%s", again, &s.printed)
			}
		})
	}
}

// lineWith is the first line with a text, from there on; empty for none.
func lineWith(all, text string) string {
	for line := range strings.Lines(all) {
		if i := strings.Index(line, text); i >= 0 {
			return strings.TrimSuffix(line[i:], "\n")
		}
	}
	return ""
}
