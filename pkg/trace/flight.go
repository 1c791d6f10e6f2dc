package trace

import (
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// flight is one key that a worker took and is not done with: what client-go's queue calls
// processing. The engine begins and ends it; in between decide needs no lock, and the engine
// may be fed.
type flight struct {
	c      *runner
	key    string
	waited time.Duration
	// s and obj are of the target; nil where there is none any more.
	s   *shadow
	obj metav1.Object
	// repeats is the sync that this one repeats, as it still waits for the same.
	repeats *decision.Decision
	// reads is what the sync reads, decides what it does with that. Both are of one instant.
	reads   *view.Reader
	decides controller.Decide
	rounds  int
	// d and free are what decide came to: with the memory of the controller, and without.
	d, free *decision.Decision
	err     error
	// looked is what the sync looked up, work what is told of it.
	looked looked
	work   *entry.Work
	// again is what becomes of the key.
	again core.Again
}

// begin starts the sync of a key that was taken.
func (e *Engine) begin(c *runner, key string, waited time.Duration) *flight {
	e.sum.Syncs++
	f := &flight{c: c, key: key, waited: waited, work: c.queue.meter.took(key)}
	t := core.Target(c.of.Kind, key)
	e.cluster.lookups.begins(&f.looked)
	obj, ok := e.cluster.Get(t.Kind, t.Namespace, t.Name)
	e.cluster.lookups.ends()
	if !ok {
		e.gone(c, key)
		return f
	}
	f.s, f.obj = e.shadow(c, key, obj), obj
	e.claimEarly(f.s)
	if d := f.s.reads; d != nil && !f.s.stirred && e.clock.Since(d.AsOf) < patience {
		f.repeats = d
		return f
	}
	f.s.begins()
	e.read(f)
	return f
}

// read lets a sync read what it is known to need, as of now.
func (e *Engine) read(f *flight) {
	e.cluster.lookups.begins(&f.looked)
	defer e.cluster.lookups.ends()
	f.rounds++
	f.reads = e.cluster.view(e.clock.Now(), e.subject(f.s, f.obj), f.s.needs, nil).Reader()
	f.decides, f.err = nil, nil
	defer controller.Caught(f.s.target, &f.err)
	f.decides = f.c.memory.Begin(f.reads, e.o.Profile, f.s.target)
}

// decide predicts the sync, on what it has read. It may run beside anything else.
func (e *Engine) decide(f *flight) {
	if f.decides == nil {
		return
	}
	defer controller.Caught(f.s.target, &f.err)
	f.d, f.err = f.decides(f.reads, e.o.Profile, f.s.target)
	if f.free = f.d; f.err == nil && f.d != nil && !f.d.Gate.Open {
		f.free, f.err = f.c.of.Free(f.reads, e.o.Profile, f.s.target)
	}
	switch {
	case f.err != nil:
		return
	case f.d == nil || f.free == nil:
		f.err = errors.New("no decision")
		return
	}
	e.phrase(f, f.d)
	if f.free != f.d {
		e.phrase(f, f.free)
	}
}

// phrase completes what a sync decides, and puts it into words.
func (e *Engine) phrase(f *flight, d *decision.Decision) {
	f.c.of.Surround(d, f.reads, e.o.Profile, f.s.target)
	if len(f.reads.Missing()) == 0 {
		f.c.of.Phrase(d)
	}
}

// end is what becomes of a sync that was decided. Where the decision asked for more, the sync
// reads again, and is not done: decide it once more.
func (e *Engine) end(f *flight) (done bool) {
	if f.reads != nil {
		if missing := f.reads.Missing(); len(missing) > 0 {
			f.s.asks(append(f.s.needs, missing...))
			if f.rounds < maxRounds {
				e.read(f)
				return false
			}
			f.err = asksForEver(f.obj)
		} else {
			f.s.asks(asked(f.reads))
		}
	}
	switch {
	case f.repeats != nil:
		e.readAgain(f)
	case f.reads != nil:
		e.synced(f)
	}
	f.c.queue.done(f.key)
	e.works(f)
	return true
}

// sync syncs a key with nothing in between.
func (e *Engine) sync(f *flight) {
	for e.decide(f); !e.end(f); e.decide(f) {
	}
}

// syncAll syncs until nothing is queued.
func (e *Engine) syncAll() {
	for _, c := range e.controllers {
		for {
			key, waited, ok := c.queue.get()
			if !ok {
				break
			}
			e.sync(e.begin(c, key, waited))
		}
	}
}
