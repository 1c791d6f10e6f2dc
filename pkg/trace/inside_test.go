package trace_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// machine is a trace of a set with three Pods on a server whose watch of Pods fails, with
// internals.
type machine struct {
	version string
	fault   func(after time.Duration) fault
	last    time.Duration
	// act changes objects after some time.
	after time.Duration
	act   func(l *log, set *appsv1.ReplicaSet)
	// streams: lists are streamed.
	streams bool
	// metrics are the manager's; nil where no manager is asked.
	metrics func(context.Context) trace.Metrics
}

// seen is what came of it.
type seen struct {
	printed, record bytes.Buffer
	entries         []*entry.Entry
	pods            requests
}

func (m machine) run(t *testing.T) *seen {
	t.Helper()
	out := &seen{}
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), m.last)
		defer cancel()
		l, set := &log{}, setOf("web", 3)
		l.put(view.ReplicaSets, watch.Added, set)
		for n := range 3 {
			l.put(view.Pods, watch.Added, podOf(set, n))
		}
		if m.act != nil {
			time.AfterFunc(m.after, func() { m.act(l, set) })
		}
		p, err := profile.New(profile.Options{Emulate: m.version, Releases: plugins.All().Releases()})
		if err != nil {
			t.Fatal(err)
		}
		feeds := []trace.Feed{
			endpoint{log: l, kind: view.Pods, fault: func() fault { return m.fault(time.Since(begun)) }, requests: &out.pods, streams: m.streams}.feed(&corev1.Pod{}),
			endpoint{log: l, kind: view.ReplicaSets, fault: func() fault { return well }, streams: m.streams}.feed(&appsv1.ReplicaSet{}),
		}
		record := trace.NewRecorder(&out.record, trace.Header{
			Kinds: []string{"replicasets.apps"}, Follows: trace.Kinds([]view.Need{feeds[0].Need, feeds[1].Need}),
		}, plugins.All().Keep())
		o := trace.Options{
			Profile: p, Controllers: trace.Running(plugins.All(), []view.Kind{view.ReplicaSets}), Internals: &trace.Internals{Wall: clock.RealClock{}, Metrics: m.metrics},
			Out: func(e *entry.Entry) {
				out.entries = append(out.entries, e)
				if err := render.TraceLine(&out.printed, e, render.Options{}); err != nil {
					t.Error(err)
				}
			},
		}
		if _, err := trace.Follow(ctx, clock.RealClock{}, o, feeds, record); err != nil {
			t.Fatal(err)
		}
	})
	return out
}

// informer is what the summary says of the informer of Pods.
func (s *seen) informer(t *testing.T) entry.Informer {
	t.Helper()
	if n := len(s.entries) - 1; n >= 0 && s.entries[n].Internals != nil && len(s.entries[n].Internals.Informers) == 2 {
		return s.entries[n].Internals.Informers[0]
	}
	t.Fatalf("no informers in the last entry:\n%s", &s.printed)
	return entry.Informer{}
}

// steps counts the steps of the reflector of Pods that did so.
func (s *seen) steps(did entry.Did) (n int) {
	for _, e := range s.entries {
		if e.Step != nil && e.Step.Resource == "pods" && e.Step.Did == did {
			n++
		}
	}
	return n
}

func (s *seen) replay(t *testing.T, i *trace.Internals) string {
	t.Helper()
	rec, err := trace.OpenRecord(bytes.NewReader(s.record.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if _, err := rec.Replay(t.Context(), trace.Options{
		Controllers: trace.Running(plugins.All(), []view.Kind{view.ReplicaSets}), Internals: i,
		Out: func(e *entry.Entry) { _ = render.TraceLine(&again, e, render.Options{}) },
	}); err != nil {
		t.Fatal(err)
	}
	return again.String()
}

func from(f fault, at, to time.Duration) func(time.Duration) fault {
	return func(after time.Duration) fault {
		if between(at, to, after) {
			return f
		}
		return well
	}
}

// TestFailuresPrintDifferently: a resource version that expired before a watch began, one
// that expires on an open watch, a watch that times out, one that is cut off, a server that
// asks to wait, and deletions that were missed are told apart.
func TestFailuresPrintDifferently(t *testing.T) {
	const (
		refused  = "watch refused, from resourceVersion 4: 410, too old resource version"
		event    = "ERROR event on the open watch: 410, too old resource version"
		timedOut = "watch timed out after"
		cut      = "watch was cut off after"
		slower   = "watch refused, from resourceVersion 4: 429, too many requests"
		missed   = "missed deletions, DeletedFinalStateUnknown: shop/web-1"
	)
	all := []string{refused, event, cut, slower, missed}
	for name, test := range map[string]struct {
		machine
		want []string
	}{
		"time-out":     {machine{fault: from(well, 0, 0)}, []string{timedOut}},
		"410 at start": {machine{fault: from(expired, 0, 2*time.Second)}, []string{refused, timedOut, "a watch was refused: 3 objects"}},
		"410 on a watch": {machine{fault: from(gone, 1*time.Second, 2*time.Second)},
			[]string{event, timedOut, "an ERROR event ended the watch: 3 objects"}},
		"cut off": {machine{fault: from(cutOff, 1*time.Second, 2*time.Second)}, []string{cut, timedOut, "after the watch was cut off from resourceVersion"}},
		"429":     {machine{fault: from(refuses, 0, 2*time.Second)}, []string{slower, timedOut, "after a watch was refused from resourceVersion 4"}},
		"a missed deletion": {machine{fault: from(gone, 1*time.Second, 2*time.Second), after: 1500 * time.Millisecond, act: func(l *log, set *appsv1.ReplicaSet) {
			l.put(view.Pods, watch.Deleted, podOf(set, 1))
		}}, []string{event, missed, timedOut, "OnDelete"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, version := range []string{"1.32", "1.34", "1.37"} {
				test.version, test.last = version, time.Minute
				s := test.run(t)
				for _, text := range append(all, test.want...) {
					expected := slices.Contains(test.want, text)
					if strings.Contains(s.printed.String(), text) != expected {
						t.Errorf("%s: it says %q: %t, want %t:\n%s", version, text, !expected, expected, &s.printed)
					}
				}
				if i := s.informer(t); (i.Tombstones == 1) != slices.Contains(test.want, missed) || i.Tombstones > 1 {
					t.Errorf("%s: %d tombstones", version, i.Tombstones)
				}
			}
		})
	}
}

// TestReflectorCountsRequests: what is said of the reflector are the requests that the
// server got, in the summary and line by line.
func TestReflectorCountsRequests(t *testing.T) {
	for name, f := range map[string]func(time.Duration) fault{
		"well": from(well, 0, 0), "expired": from(expired, 0, 20*time.Second), "gone": from(gone, 10*time.Second, 50*time.Second),
		"cut off": from(cutOff, 10*time.Second, 50*time.Second), "refuses": from(refuses, 0, 50*time.Second),
	} {
		t.Run(name, func(t *testing.T) {
			s := machine{version: "1.37", fault: f, last: 170 * time.Second}.run(t)
			i := s.informer(t)
			if i.Lists != s.pods.lists || i.Watches != s.pods.watches || i.Pages != i.Lists {
				t.Errorf("%d lists and %d watches, the server got %d and %d:\n%s", i.Lists, i.Watches, s.pods.lists, s.pods.watches, &s.printed)
			}
			if lists := s.steps(entry.Listed) + s.steps(entry.ListFailed); lists != i.Lists || i.Relists != s.steps(entry.Listed)-1 {
				t.Errorf("%d steps of %d lists, %d relists", lists, i.Lists, i.Relists)
			}
			if watches := s.steps(entry.Watches) + s.steps(entry.WatchFailed); watches != i.Watches || s.steps(entry.WatchFailed) != i.Refused {
				t.Errorf("%d steps of %d watches, %d refused of %d", watches, i.Watches, s.steps(entry.WatchFailed), i.Refused)
			}
			if i.Store != i.ResourceVersion || i.Deepest == 0 {
				t.Errorf("the store is up to %q, the reflector to %q; at most %d waited", i.Store, i.ResourceVersion, i.Deepest)
			}
			if i.Bookmarks != s.steps(entry.Bookmarked) || i.ErrorEvents != s.steps(entry.ErrorEvent) {
				t.Errorf("%d bookmarks and %d ERROR events in the summary, %d and %d steps", i.Bookmarks, i.ErrorEvents, s.steps(entry.Bookmarked), s.steps(entry.ErrorEvent))
			}
			failures := i.Refused + i.ErrorEvents + s.steps(entry.CutOff)
			gaps := 0
			if i.Gaps != nil {
				gaps = i.Gaps.Count
			}
			if gaps < failures-1 || gaps > failures { // the last one may be followed by nothing
				t.Errorf("%d gaps after %d failures:\n%s", gaps, failures, &s.printed)
			}
		})
	}
}

// TestEndCutsRequestsOff: what a trace's end cuts off, here watches that time out with it,
// is neither counted nor told, or both.
func TestEndCutsRequestsOff(t *testing.T) {
	for range 50 {
		s := machine{version: "1.37", fault: from(well, 0, 0), last: 3 * time.Minute}.run(t)
		if i := s.informer(t); i.Watches != s.steps(entry.Watches) {
			t.Fatalf("%d watches, %d steps:\n%s", i.Watches, s.steps(entry.Watches), &s.printed)
		}
	}
}

// TestListsAreStreamed: a list that a watch brings leads to what a list in pages leads to.
// One that breaks off is none, and confirms nothing; a relist is streamed as well.
func TestListsAreStreamed(t *testing.T) {
	for name, f := range map[string]func(time.Duration) fault{
		"well": from(well, 0, 0), "breaks off": from(cutOff, 0, 2*time.Second), "gone": from(gone, 10*time.Second, 11*time.Second),
	} {
		t.Run(name, func(t *testing.T) {
			for _, version := range []string{"1.32", "1.34", "1.35", "1.37"} {
				s := machine{version: version, streams: true, fault: f, last: time.Minute, after: 30 * time.Second, act: func(l *log, set *appsv1.ReplicaSet) {
					l.put(view.Pods, watch.Deleted, podOf(set, 1))
				}}.run(t)
				i := s.informer(t)
				streams := map[string]int{"well": 1, "breaks off": 1, "gone": 1}[name]
				if i.Lists != 0 || s.pods.lists != 0 || i.Watches != s.pods.watches || i.Streams < streams || i.Relists != i.Streams-1 || i.Objects != 3 || i.Synced == nil {
					t.Errorf("%s: %+v, the server got %d lists and %d watches:\n%s", version, i, s.pods.lists, s.pods.watches, &s.printed)
				}
				if s.steps(entry.Listed) != i.Streams || i.Store != i.ResourceVersion {
					t.Errorf("%s: %d steps of %d lists; the store is up to %q, the reflector to %q", version, s.steps(entry.Listed), i.Streams, i.Store, i.ResourceVersion)
				}
				for _, text := range []string{"list streamed by the watch: 3 objects, ", "with a list that is streamed", "lists: streamed by watches (--stream-lists)", "pod Deleted  web-1"} {
					if !strings.Contains(s.printed.String(), text) {
						t.Errorf("%s: it does not say %q:\n%s", version, text, &s.printed)
					}
				}
				if broke := strings.Contains(s.printed.String(), "its list did not come to an end"); broke != (name == "breaks off") {
					t.Errorf("%s: it says that a list broke off: %t:\n%s", version, broke, &s.printed)
				}
				if again := s.replay(t, &trace.Internals{}); again != s.printed.String() {
					t.Errorf("%s: live:\n%s\nagain:\n%s", version, &s.printed, again)
				}
			}
		})
	}
}

// TestReplayRepeatsTheMachine: a record holds what the wrappers saw; without --internals a
// replay says what the trace said without.
func TestReplayRepeatsTheMachine(t *testing.T) {
	for _, version := range []string{"1.32", "1.35", "1.37"} {
		s := machine{version: version, fault: from(gone, 10*time.Second, 20*time.Second), last: time.Minute, after: 30 * time.Second, act: func(l *log, set *appsv1.ReplicaSet) {
			more := setOf("web", 5)
			more.Generation = 2
			l.put(view.ReplicaSets, watch.Modified, more)
			time.Sleep(time.Second)
			l.put(view.Pods, watch.Added, podOf(set, 3))
			l.put(view.Pods, watch.Added, podOf(set, 4))
			time.Sleep(time.Second)
			l.put(view.Pods, watch.Added, podOf(setOf("other", 1), 0)) // nothing follows from it
		}}.run(t)
		if inBatches := strings.Contains(s.printed.String(), "Replaced ×3 (initial list)"); inBatches != (version == "1.35") {
			t.Errorf("%s: a list is handed out in batches: %t:\n%s", version, inBatches, &s.printed)
		}
		if s.steps(entry.Popped) != s.steps(entry.Called) {
			t.Errorf("%s: %d times handed out, %d times called:\n%s", version, s.steps(entry.Popped), s.steps(entry.Called), &s.printed)
		}
		if again := s.replay(t, &trace.Internals{}); again != s.printed.String() {
			t.Errorf("%s: live:\n%s\nagain:\n%s", version, &s.printed, again)
		}
		plain := s.replay(t, nil)
		var want strings.Builder
		skip := false
		for line := range strings.Lines(s.printed.String()) {
			if !strings.HasPrefix(line, " ") {
				skip = false
				for _, part := range []string{"  reflector ", "  delta queue ", "  informer ", "  processor ", "  work queue ", "  expectations ", "  store ", "  decision ", "  internals "} {
					skip = skip || strings.Contains(line, part)
				}
			}
			if !skip {
				want.WriteString(line)
			}
		}
		if plain != want.String() {
			t.Errorf("%s: without internals:\n%s\nwant:\n%s", version, plain, &want)
		}
		for _, text := range []string{"work queue replicasets", " of replicaset-controller: ", "informer of pods for replicaset-controller"} {
			if !strings.Contains(s.printed.String(), text) {
				t.Errorf("%s: it does not say %q:\n%s", version, text, &s.printed)
			}
		}
	}
}
