package trace_test

import (
	"bytes"
	"context"
	"math/rand/v2"
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
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// play is a trace of a set that is scaled up by one every 20 seconds, on a
// server with faults.
type play struct {
	// faults is how a kind is served so long after the beginning.
	faults func(k view.Kind, after time.Duration) fault
	// dead reports whether the controller does nothing so long after it.
	dead func(after time.Duration) bool
	last time.Duration
}

// played is what came of it.
type played struct {
	begun   time.Time
	entries []*entry.Entry
	printed bytes.Buffer
	record  bytes.Buffer
}

func (p play) run(t *testing.T) *played {
	t.Helper()
	out := &played{}
	synctest.Test(t, func(t *testing.T) {
		out.begun = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), p.last)
		defer cancel()
		l := &log{}
		web := setOf("web", 1)
		l.put(view.ReplicaSets, watch.Added, web)
		l.put(view.Pods, watch.Added, podOf(web, 0))
		go p.work(ctx, out.begun, l)
		prof, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
		if err != nil {
			t.Fatal(err)
		}
		var feeds []trace.Feed
		for _, k := range []view.Kind{view.Pods, view.ReplicaSets} {
			e := endpoint{log: l, kind: k, fault: func() fault { return p.faults(k, time.Since(out.begun)) }}
			if k.GroupKind() == view.Pods.GroupKind() {
				feeds = append(feeds, e.feed(&corev1.Pod{}))
			} else {
				feeds = append(feeds, e.feed(&appsv1.ReplicaSet{}))
			}
		}
		record := trace.NewRecorder(&out.record, trace.Header{
			Kinds: []string{"replicasets.apps"}, Follows: trace.Kinds([]view.Need{feeds[0].Need, feeds[1].Need}),
		}, plugins.All().Keep())
		o := trace.Options{Profile: prof, Controllers: trace.Running(plugins.All(), []view.Kind{view.ReplicaSets}), Internals: &trace.Internals{Wall: clock.RealClock{}}, Out: printTo(t, &out.printed, func(e *entry.Entry) {
			out.entries = append(out.entries, e)
		})}
		if _, err := trace.Follow(ctx, clock.RealClock{}, o, feeds, record); err != nil {
			t.Fatal(err)
		}
	})
	return out
}

// work scales the set and is its controller.
func (p play) work(ctx context.Context, begun time.Time, l *log) {
	pods, web := 1, setOf("web", 1)
	for wanted := int32(2); ; wanted++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(20 * time.Second):
		}
		more := setOf("web", wanted)
		more.Generation = int64(wanted)
		l.put(view.ReplicaSets, watch.Modified, more)
		for range 5 { // what tells nothing of the controller
			l.put(view.Pods, watch.Modified, podOf(web, 0))
		}
		time.Sleep(100 * time.Millisecond)
		for ; !p.dead(time.Since(begun)) && pods < int(wanted); pods++ {
			l.put(view.Pods, watch.Added, podOf(more, pods))
		}
	}
}

// late lists when the controller was called late, after the beginning.
func (p *played) late() (all []time.Duration) {
	for _, e := range p.entries {
		if e.Verdict != nil && e.Verdict.State == entry.Late {
			all = append(all, e.At.Sub(p.begun))
		}
	}
	return all
}

// noted is when a note with a text came, after the beginning; -1 for never.
func (p *played) noted(text string) time.Duration {
	for _, e := range p.entries {
		if e.Type == entry.Note && strings.Contains(e.Message, text) {
			return e.At.Sub(p.begun)
		}
	}
	return -1
}

// replay wants the record to say the same.
func (p *played) replay(t *testing.T) {
	t.Helper()
	rec, err := trace.OpenRecord(bytes.NewReader(p.record.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if _, err := rec.Replay(t.Context(), trace.Options{
		Controllers: trace.Running(plugins.All(), []view.Kind{view.ReplicaSets}), Internals: &trace.Internals{}, Out: printTo(t, &again, nil),
	}); err != nil {
		t.Fatal(err)
	}
	if again.String() != p.printed.String() {
		t.Errorf("live:\n%s\nagain:\n%s", &p.printed, &again)
	}
}

func never(time.Duration) bool                { return false }
func always(time.Duration) bool               { return true }
func healthy(view.Kind, time.Duration) fault  { return well }
func between(from, to, at time.Duration) bool { return from <= at && at < to }
func isPods(k view.Kind) bool                 { return k.GroupKind() == view.Pods.GroupKind() }
func during(f fault, from, to time.Duration) func(view.Kind, time.Duration) fault {
	return func(k view.Kind, after time.Duration) fault {
		if isPods(k) && between(from, to, after) {
			return f
		}
		return well
	}
}

// TestNobodyIsAccusedUnseen: a controller that acts at once is never called
// late, however the watch of its Pods fails, and the trace says what it can't
// see, soon.
func TestNobodyIsAccusedUnseen(t *testing.T) {
	const from, to = 55 * time.Second, 215 * time.Second
	for name, test := range map[string]struct {
		fault    fault
		from, to time.Duration
		// noted is the word about it, within so long after from; empty for none.
		noted  string
		within time.Duration
	}{
		// The watch that is open when the fault begins lasts until 90s.
		"429 once":                     {refuses, 88 * time.Second, 91 * time.Second, "too many requests", 5 * time.Second},
		"429 for ever":                 {refuses, from, time.Hour, "too many requests", 40 * time.Second},
		"Retry-After: 100000":          {hangs, from, time.Hour, "no answer for 5s", 45 * time.Second},
		"silent":                       {silent, from, time.Hour, "neither an event nor a bookmark", 60 * time.Second},
		"silent for a while":           {silent, from, to, "neither an event nor a bookmark", 60 * time.Second},
		"without bookmarks":            {noBookmarks, 0, time.Hour, "", 0},
		"without bookmarks, or an end": {noEnd, from, time.Hour, "", 0},
		"ends at once":                 {endsAtOnce, from, to, "it was cut off", 40 * time.Second},
		"410":                          {gone, from, to, "too old resource version", 40 * time.Second},
		"an event now and then":        {trickles, from, time.Hour, "", 0},
		"cut off once":                 {cutOff, from, from + 200*time.Millisecond, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := play{during(test.fault, test.from, test.to), never, 6 * time.Minute}.run(t)
			if late := p.late(); len(late) > 0 {
				t.Errorf("called late after %v:\n%s", late, &p.printed)
			}
			at := p.noted("cannot watch pods in namespace shop since")
			switch {
			case test.noted == "" && at >= 0 && test.fault != noEnd && test.fault != trickles:
				t.Errorf("noted after %v:\n%s", at, &p.printed)
			case test.noted != "" && (p.noted(test.noted) < 0 || at > test.from+test.within):
				t.Errorf("%q noted after %v, want within %v:\n%s", test.noted, at, test.from+test.within, &p.printed)
			case test.noted != "" && test.to < time.Hour && p.noted("watching again") < 0:
				t.Errorf("never sees again:\n%s", &p.printed)
			}
			p.replay(t)
		})
	}
}

// TestDeadControllerIsCalledLate: nothing of that keeps a trace from saying that
// a controller does not act.
func TestDeadControllerIsCalledLate(t *testing.T) {
	for name, test := range map[string]struct {
		faults func(view.Kind, time.Duration) fault
		from   time.Duration
		until  time.Duration
	}{
		"well":              {healthy, 30 * time.Second, 38 * time.Second},
		"without bookmarks": {during(noBookmarks, 0, time.Hour), 30 * time.Second, 38 * time.Second},
		"refused for 30s":   {during(refuses, 10*time.Second, 40*time.Second), 105 * time.Second, 190 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			p := play{test.faults, always, 4 * time.Minute}.run(t)
			if late := p.late(); len(late) == 0 || !between(test.from, test.until, late[0]) {
				t.Errorf("called late after %v, want it within %v to %v:\n%s", late, test.from, test.until, &p.printed)
			}
			p.replay(t)
		})
	}
}

// TestBlindEnd: a trace that ends while a watch is broken says since when.
func TestBlindEnd(t *testing.T) {
	for name, test := range map[string]struct {
		faults func(view.Kind, time.Duration) fault
		blind  bool
	}{
		"well":         {healthy, false},
		"well again":   {during(refuses, 10*time.Second, 40*time.Second), false},
		"to the end":   {during(refuses, 150*time.Second, time.Hour), true},
		"without word": {during(hangs, 150*time.Second, time.Hour), true},
	} {
		t.Run(name, func(t *testing.T) {
			p := play{test.faults, never, 4 * time.Minute}.run(t)
			sum := p.summary(t)
			if (sum.BlindSince != nil) != test.blind || test.blind && !between(150*time.Second, 220*time.Second, sum.BlindSince.Sub(p.begun)) {
				t.Errorf("blind since %v:\n%s", sum.BlindSince, &p.printed)
			}
			if said := strings.Contains(p.printed.String(), "changes are not visible since "); said != test.blind {
				t.Errorf("said: %t", said)
			}
			p.replay(t)
		})
	}
}

// summary is the one at the end.
func (p *played) summary(t *testing.T) *entry.Summary {
	t.Helper()
	for _, e := range slices.Backward(p.entries) {
		if e.Summary != nil {
			return e.Summary
		}
	}
	t.Fatal("no summary")
	return nil
}

// TestFaultsAtRandom: however the watches of both kinds fail, nobody is called
// late while any does, nor for what somebody did.
func TestFaultsAtRandom(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		plan := map[bool][]fault{}
		for _, kind := range []bool{true, false} {
			for range 36 { // ten seconds each
				f := well
				if r.IntN(3) == 0 {
					f = fault(r.IntN(int(faults)))
				}
				plan[kind] = append(plan[kind], f)
			}
		}
		faultsOf := func(k view.Kind, after time.Duration) fault {
			return plan[isPods(k)][min(int(after/(10*time.Second)), 35)]
		}
		p := play{faultsOf, never, 6 * time.Minute}.run(t)
		if late := p.late(); len(late) > 0 {
			t.Errorf("seed %d: called late after %v:\n%s", seed, late, &p.printed)
		}
		p.replay(t)
		dead := play{faultsOf, always, 6 * time.Minute}.run(t)
		for _, at := range dead.late() {
			for _, k := range []view.Kind{view.Pods, view.ReplicaSets} {
				if f := faultsOf(k, at-patience); f != well && f != noBookmarks && f != noEnd && f == faultsOf(k, at) {
					t.Errorf("seed %d: called late after %v, while the watch of %s is %v:\n%s", seed, at, k.Resource, f, &dead.printed)
				}
			}
		}
	}
}

// patience is how long a controller may take to act.
const patience = 10 * time.Second
