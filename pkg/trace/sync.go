package trace

import (
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// synced puts on record what a sync comes to, without its writes.
func (e *Engine) synced(f *flight) {
	c, s, d := f.c, f.s, f.d
	e.looked(f)
	switch {
	case f.err != nil:
		e.emit(&entry.Entry{Type: entry.Note, Object: &s.ref, Message: "could not decide: " + f.err.Error()})
		c.queue.Forget(f.key)
		return
	case c.shadows[f.key] != s: // another object has its name by now, and has queued the key
		c.queue.Forget(f.key)
		return
	}
	s.predict(newPlan(f.free, e.made))
	e.explainHeld(s, f.obj)
	said := entryOf(d, f.waited)
	clobbered := e.expect(s, d, f.free, said)
	if d.Requeue == decision.RequeueNotReadBack && !said.TakenBack {
		s.reads = d
	}
	e.requeue(f, d, said)
	for _, a := range d.Actions {
		said.Action = append(said.Action, brief(a))
	}
	if !e.o.Brief || len(said.Action) > 0 && d.Gate.Open {
		e.emit(&entry.Entry{Type: entry.Synced, Object: &s.ref, Sync: said})
	}
	e.decides(f)
	e.raises(s, d, clobbered)
	s.refused = c.of.Agent.Refused(f.free, e.clock.Since(s.created))
	e.judge(s)
}

func entryOf(d *decision.Decision, waited time.Duration) *entry.Sync {
	return &entry.Sync{Answer: d.Answer, Gate: &d.Gate, Next: d.NextSync, Waited: decision.Span(max(waited, 0))}
}

// readAgain is the retry of a sync that waits to read back its writes, and still
// does: no event has told of anything since.
func (e *Engine) readAgain(f *flight) {
	said := entryOf(f.repeats, f.waited)
	said.Repeated = true
	e.requeue(f, f.repeats, said)
	if !e.o.Brief {
		e.emit(&entry.Entry{Type: entry.Synced, Object: &f.s.ref, Sync: said})
	}
}

// gone ends what was kept about a target that is deleted.
func (e *Engine) gone(c *runner, key string) {
	s, known := c.shadows[key]
	if !known {
		return
	}
	e.forget(s)
	c.memory.Observe(handlers.Forget, s.target, nil)
	c.queue.Forget(key)
	if !e.o.Brief {
		e.emit(&entry.Entry{Type: entry.Synced, Object: &s.ref, Sync: &entry.Sync{Gone: true}})
	}
}

// forget ends what was kept about a target that is not there any more.
func (e *Engine) forget(s *shadow) {
	for _, a := range s.held {
		standing, why := e.blame(s, a, nil)
		e.standing(s, a, standing, why)
	}
	delete(s.c.shadows, keyOf(s.ref.Namespace, s.ref.Name))
	delete(e.watched, s)
}

// decideFree runs a decision without memory on the cluster as of now, without what is undone.
func (e *Engine) decideFree(s *shadow, obj metav1.Object, without undo) (d *decision.Decision, err error) {
	s.needs, err = e.cluster.decide(e.clock.Now(), e.subject(s, obj), s.needs, without, func(r *view.Reader) (err error) {
		defer controller.Caught(s.target, &err)
		if d, err = s.c.of.Free(r, e.o.Profile, s.target); d != nil {
			s.c.of.Surround(d, r, e.o.Profile, s.target)
		}
		return err
	})
	if err == nil && d == nil {
		err = errors.New("no decision")
	}
	if err == nil && (without == nil || !e.o.Brief) {
		s.c.of.Phrase(d)
	}
	return d, err
}

// subject is what the decision of a target is about.
func (e *Engine) subject(s *shadow, obj metav1.Object) subject {
	return subject{obj, s.c.of.Kind, e.cluster.pods.finds(s.c.of)}
}

// expect records what the controller would wait for, had it acted. What stands
// in the way although there is nothing left to do was never done by the real
// one, and is taken back. It returns the deletions that are no longer waited for,
// because the record is replaced.
func (e *Engine) expect(s *shadow, d, free *decision.Decision, said *entry.Sync) (clobbered *decision.Expectation) {
	switch {
	case d.Gate.Open:
		clobbered = s.c.memory.Expect(s.target, d, e.cluster.Get)
		said.Expects = d.Expectations.After
	case d.Requeue == decision.RequeueNotReadBack && free.Status.Writes: // that may be on its way
	case !free.Pending && free.Gate.Open: // it is the memory that closes it
		s.c.memory.Observe(handlers.Forget, s.target, nil)
		said.TakenBack = true
		e.sum.Withdrawn++
	}
	return clobbered
}

// requeue queues the key as the outcome of its sync asks.
func (e *Engine) requeue(f *flight, d *decision.Decision, said *entry.Sync) {
	f.again = f.c.core.Synced(f.key, d.Requeue, d.After)
	said.Failures = f.again.Failures
	if f.again.Failures > 0 || f.again.Delay > 0 {
		said.Delay = new(decision.Span(f.again.Delay))
	}
}
