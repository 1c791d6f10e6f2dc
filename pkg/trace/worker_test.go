package trace_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// halting stops the syncs of some names in their midst: began is told of each.
type halting struct {
	began chan string
	mu    sync.Mutex
	gates map[string]chan struct{}
}

func (h *halting) halt(names ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range names {
		h.gates[name] = make(chan struct{})
	}
}

// goOn lets the sync of a name go on, and all that follow.
func (h *halting) goOn(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.gates[name])
	delete(h.gates, name)
}

func (h *halting) memory(of controller.Memory) controller.Memory { return haltingMemory{of, h} }

type haltingMemory struct {
	controller.Memory
	h *halting
}

func (m haltingMemory) Begin(r *view.Reader, p profile.Profile, t controller.Target) controller.Decide {
	decide := m.Memory.Begin(r, p, t)
	return func(r *view.Reader, p profile.Profile, t controller.Target) (*decision.Decision, error) {
		d, err := decide(r, p, t)
		if len(r.Missing()) > 0 {
			return d, err
		}
		m.h.mu.Lock()
		gate := m.h.gates[t.Name]
		m.h.mu.Unlock()
		if gate != nil {
			m.h.began <- t.Name
			<-gate
		}
		return d, err
	}
}

// halted are the controllers of ReplicaSets whose syncs h can halt.
func halted(h *halting) []controller.Running {
	all := trace.Running(plugins.All(), []view.Kind{view.ReplicaSets})
	for n := range all {
		memory := all[n].Memory
		all[n].Memory = func(now clock.PassiveClock) controller.Memory { return h.memory(memory(now)) }
	}
	return all
}

// TestWorkers: two keys are synced side by side, a third waits for a worker; an add of a key in
// flight is synced when that is done. The record replays to the same lines. The release is one
// whose controller does not read back what it wrote: no sync fails, and none is retried.
func TestWorkers(t *testing.T) {
	pods, sets := serve(view.Pods, &corev1.Pod{}), serve(view.ReplicaSets, &appsv1.ReplicaSet{})
	for _, name := range []string{"a", "b", "c"} {
		sets.Add(setOf(name, 0))
	}
	h := &halting{began: make(chan string), gates: map[string]chan struct{}{}}
	var live, kept bytes.Buffer
	syncs, met, queued := make(chan string, 100), make(chan entry.Queueing, 100), make(chan struct{}, 100)
	record := trace.NewRecorder(&kept, trace.Header{
		Kinds: []string{"replicasets.apps"}, Follows: trace.Kinds([]view.Need{pods.feed.Need, sets.feed.Need}),
	}, plugins.All().Keep())
	o := trace.Options{Profile: emulated(t, "1.35"), Controllers: halted(h), Workers: map[string]int{"replicaset-controller": 2}, Out: printTo(t, &live, func(e *entry.Entry) {
		switch {
		case e.Sync != nil:
			syncs <- e.Object.Name
		case e.Event != nil:
			for _, x := range e.Event.Effects {
				met <- x.Queue
			}
			queued <- struct{}{}
		}
	})}
	wants := func(what string, got any, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	scaled := func(name string, replicas int32, generation int64) {
		s := setOf(name, replicas)
		s.Generation = generation
		sets.Modify(s)
		<-queued
	}
	sum := followWith(t, o, record, func(started <-chan struct{}) {
		<-started
		for range 3 {
			<-syncs
		}
		h.halt("a", "b")
		scaled("a", 1, 2)
		wants("a is added", <-met, entry.Queued)
		wants("the first worker begins", <-h.began, "a")
		scaled("b", 1, 2)
		wants("b is added", <-met, entry.Queued)
		wants("the second worker begins", <-h.began, "b")
		scaled("c", 1, 2)
		wants("c is added", <-met, entry.Queued)
		scaled("a", 2, 3)
		wants("a is added while it is synced", <-met, entry.InFlight)
		scaled("a", 3, 4)
		wants("a is added once more", <-met, entry.Deduplicated)
		select {
		case name := <-syncs:
			t.Errorf("%s is synced, with two workers that are busy", name)
		default:
		}
		h.goOn("b")
		wants("the second worker ends", <-syncs, "b")
		wants("and takes the next key", <-syncs, "c")
		h.goOn("a")
		wants("the first worker ends", <-syncs, "a")
		wants("a is synced again", <-syncs, "a")
	}, pods, sets)
	wants("syncs", sum.Syncs, 7)
	if again := replayed(t, kept.String()); live.String() != again {
		t.Errorf("live:\n%s\nagain:\n%s", &live, again)
	}
	for _, want := range []string{
		"queued again when its sync is done",
		"queue of replicasets: 7 adds, 0 merged, 2 in flight; 0 left",
		"workers: 2 here, at most 2 busy at a time",
		"worker 1, ", "worker 2, ", "; added 2 times meanwhile",
	} {
		if !strings.Contains(live.String(), want) {
			t.Errorf("the trace does not say %q:\n%s", want, &live)
		}
	}
}

// TestWorkersOfManyReplay: whatever order workers and deltas come in, the record replays to it.
func TestWorkersOfManyReplay(t *testing.T) {
	pods, sets := serve(view.Pods, &corev1.Pod{}), serve(view.ReplicaSets, &appsv1.ReplicaSet{})
	all := make([]*appsv1.ReplicaSet, 12)
	for n := range all {
		all[n] = setOf(fmt.Sprint("set-", n), 1)
		sets.Add(all[n])
		pods.Add(podOf(all[n], 0))
	}
	var live, kept bytes.Buffer
	record := trace.NewRecorder(&kept, trace.Header{
		Kinds: []string{"replicasets.apps"}, Follows: trace.Kinds([]view.Need{pods.feed.Need, sets.feed.Need}),
	}, plugins.All().Keep())
	h := &halting{began: make(chan string), gates: map[string]chan struct{}{}}
	h.halt(all[0].Name, all[1].Name)
	busiest := 0
	o := trace.Options{
		Controllers: halted(h), Workers: map[string]int{"replicaset-controller": 4},
		Out: printTo(t, &live, func(e *entry.Entry) {
			if e.Internals != nil {
				busiest = e.Internals.Queues[0].Workers.Busiest
			}
		}),
	}
	followWith(t, o, record, func(started <-chan struct{}) {
		<-started
		for range 2 { // are busy at once, however slow the machine is
			<-h.began
		}
		h.goOn(all[0].Name)
		h.goOn(all[1].Name)
		var changing sync.WaitGroup
		for n := range all {
			changing.Go(func() {
				change := rand.New(rand.NewPCG(1, uint64(n)))
				for at := range 15 {
					if change.IntN(3) == 0 {
						s := setOf(all[n].Name, change.Int32N(4))
						s.Generation = int64(at + 2)
						sets.Modify(s)
					} else {
						pods.Add(podOf(all[n], at+1))
					}
					time.Sleep(time.Duration(change.IntN(8)) * time.Millisecond)
				}
			})
		}
		changing.Wait()
		pods.DeleteDropWatch(podOf(all[0], 0)) // a deletion that the watch misses
		time.Sleep(50 * time.Millisecond)
	}, pods, sets)
	if d := cmp.Diff(strings.Split(live.String(), "\n"), strings.Split(replayed(t, kept.String()), "\n")); d != "" {
		t.Errorf("live (-), again (+):\n%s", d)
	}
	if busiest < 2 {
		t.Errorf("%d workers were busy at once at most", busiest)
	}
}

// TestReplayOfOthers: a replay says why it lacks what a record without an end lacks, and that
// a record holds other syncs than this version comes to.
func TestReplayOfOthers(t *testing.T) {
	kept, err := os.ReadFile("../../docs/examples/workers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(kept), "\n")
	for record, wants := range map[string][]string{
		strings.Join(lines[:300], ""): {
			"the record has no end", "informers: not recorded: the record has no end", "workers: 5 here, at most 2 busy at a time; in the manager not recorded",
			"in the queue, in syncs: not recorded: the record has no end",
		},
		strings.ReplaceAll(string(kept), `"adds":105`, `"adds":104`): {"in the record: 104 adds; this version comes to other syncs"},
	} {
		said := replayed(t, record)
		for _, want := range wants {
			if !strings.Contains(said, want) {
				t.Errorf("nothing says %q", want)
			}
		}
	}
	if said := replayed(t, string(kept)); strings.Contains(said, "in the record: ") || strings.Contains(said, "not recorded: the record") {
		t.Error("the record itself is said to be another's, or to lack something")
	}
}
