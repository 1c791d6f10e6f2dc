package trace

import (
	"sort"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// Step says what a part of the machinery did, at an instant. It changes nothing else, so that
// a trace comes to the same with it as without.
func (e *Engine) Step(at time.Time, s *entry.Step) {
	if e.o.Internals != nil {
		e.o.Out(&entry.Entry{At: at, Type: entry.Stepped, Step: s})
	}
}

// tell says and keeps a step that began before the trace ended. f.mu is held.
func (f *Follower) tell(s *entry.Step) {
	at := f.now()
	f.keep(at, s)
	f.flush(at)
}

// tellAt tells a step, unless the trace has ended: what that cuts off is no step of it.
func (f *Follower) tellAt(at time.Time, s *entry.Step) {
	if !f.over() {
		f.keep(at, s)
	}
}

func (f *Follower) keep(at time.Time, s *entry.Step) {
	f.record.step(at, s)
	f.engine.Step(at, s)
}

// over reports whether the trace has ended.
func (f *Follower) over() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// telling is what the engine tells of informers and keys.
type telling struct {
	// informers sums up what informers did; nil where there are none.
	informers func() []entry.Informer
	// before is called before the next entry, once; worked are keys of which it is to be
	// told that they were synced.
	before func()
	worked []*entry.Step
	// managers are the metrics of the real managers; nil where none is asked.
	managers *compared
}

// flush tells which keys were synced. f.mu is held.
func (f *Follower) flush(at time.Time) {
	for _, s := range f.engine.takeSynced() {
		f.tellAt(at, s)
	}
}

// took is what is told of a key that was taken just now; nil where nothing is measured.
func (m *meter) took(key string) *entry.Work {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &entry.Work{Key: key, Merged: m.touched[key]}
	delete(m.touched, key)
	if n := len(m.waited); n > 0 {
		w.Waited = decision.Span(m.waited[n-1])
	}
	return w
}

// did adds what is known of it now that it was done just now.
func (m *meter) did(w *entry.Work) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.InFlight = m.met[w.Key]
	delete(m.met, w.Key)
	if n := len(m.worked); n > 0 {
		w.Worked = decision.Span(m.worked[n-1])
	}
}

// works notes that a worker is done with a key, where a clock measures that.
func (e *Engine) works(f *flight) {
	m := f.c.queue.meter
	if m == nil {
		return
	}
	m.did(f.work)
	if m.wall == nil || e.o.Brief {
		return
	}
	w := f.work
	w.Left = f.c.queue.ready.Len()
	if w.Failures = f.again.Failures; w.Failures > 0 || f.again.Delay > 0 {
		again := decision.Span(f.again.Delay)
		w.Again = &again
	}
	e.worked = append(e.worked, &entry.Step{Part: entry.WorkQueuePart, Source: entry.ClientGo, Resource: f.c.of.Kind.Resource, Did: entry.Worked, Work: w})
}

// informers sums up what informers did.
func (f *Follower) informers() (all []entry.Informer) {
	for _, i := range f.insiders {
		all = append(all, i.total())
	}
	sort.SliceStable(all, func(i, j int) bool { return len(all[i].Handlers) > len(all[j].Handlers) })
	return all
}
