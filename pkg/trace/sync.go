package trace

import (
	"errors"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/journal"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// sync is one run of a controller's sync, without its writes.
func (e *Engine) sync(c *controller, key string, waited time.Duration) {
	e.sum.Syncs++
	namespace, name := split(key)
	obj, ok := e.cluster.Get(c.Kind, namespace, name)
	if !ok {
		e.gone(c, key)
		return
	}
	s := e.shadow(c, key, obj)
	e.claimEarly(s)
	d, err := e.decide(s, obj, c.memory.Decide, nil)
	if err != nil {
		e.emit(&journal.Entry{Type: journal.Note, Object: &s.ref, Message: "could not decide: " + err.Error()})
		c.queue.limiter.Forget(key)
		return
	}
	free := d
	if !d.Gate.Open {
		if f, err := e.decide(s, obj, c.Free, nil); err == nil {
			free = f
		}
	}
	s.foretell(newPlan(free))
	e.explainHeld(s, obj)
	entry := &journal.Sync{Answer: d.Answer, Gate: &d.Gate, Next: d.NextSync}
	if waited > 0 {
		entry.Waited = waited.String()
	}
	e.expect(s, d, free, entry)
	e.requeue(c, key, d, entry)
	s.noteReading(d, entry)
	for _, a := range d.Actions {
		entry.Action = append(entry.Action, brief(a))
	}
	if !e.o.Brief || len(entry.Action) > 0 && d.Gate.Open {
		e.emit(&journal.Entry{Type: journal.Synced, Object: &s.ref, Sync: entry})
	}
	s.refused = c.Refused(free, e.clock.Since(s.created))
	e.judge(s)
}

// gone ends what was kept about a target that is deleted.
func (e *Engine) gone(c *controller, key string) {
	s, known := c.shadows[key]
	if !known {
		return
	}
	e.forget(s)
	c.memory.Observe(handlers.Forget, s.target, nil)
	c.queue.limiter.Forget(key)
	if !e.o.Brief {
		e.emit(&journal.Entry{Type: journal.Synced, Object: &s.ref, Sync: &journal.Sync{Gone: true}})
	}
}

// forget ends what was kept about a target that is not there any more.
func (e *Engine) forget(s *shadow) {
	for _, a := range s.held {
		e.standing(s, a, journal.Foreign, "the "+s.ref.Kind+" itself was deleted")
	}
	delete(s.c.shadows, keyOf(s.ref.Namespace, s.ref.Name))
	delete(e.watched, s)
}

// decide runs a decision on the cluster as of now, without what is undone.
func (e *Engine) decide(s *shadow, obj metav1.Object, decide plugins.Decide, without undo) (d *decision.Decision, err error) {
	s.needs, err = e.cluster.decide(e.clock.Now(), obj, s.needs, without, func(r *view.Reader) (err error) {
		d, err = decide(r, e.o.Profile, s.target)
		return err
	})
	if err == nil && d == nil {
		err = errors.New("no decision")
	}
	if err == nil && (without == nil || !e.o.Brief) {
		s.c.Rules.Phrase(d)
		d.Answer = s.c.Answer(d)
	}
	return d, err
}

// expect records what the controller would wait for, had it acted. What stands
// in the way although there is nothing left to do was never done by the real
// one, and is taken back.
func (e *Engine) expect(s *shadow, d, free *decision.Decision, entry *journal.Sync) {
	switch {
	case d.Gate.Open:
		s.c.memory.Expect(s.target, d, e.cluster.Get)
		entry.Expects = d.Expectations.After
	case s.c.ReadsBack(d) && free.Status.Writes: // that may be on its way
	case !free.Pending && free.Gate.Open: // it is the memory that closes it
		s.c.memory.Observe(handlers.Forget, s.target, nil)
		entry.TakenBack = true
		e.sum.Withdrawn++
	}
}

// noteReading marks a sync that still waits for what the one before waited for.
func (s *shadow) noteReading(d *decision.Decision, entry *journal.Sync) {
	was := s.reading
	s.reading = ""
	if s.c.ReadsBack(d) {
		s.reading = d.Gate.Message
	}
	entry.Repeated = was != "" && was == s.reading && !entry.TakenBack
}

// requeue does what processNextWorkItem does with the outcome of a sync.
func (e *Engine) requeue(c *controller, key string, d *decision.Decision, entry *journal.Sync) {
	if c.Fails(d) {
		if c.Retries == 0 || c.queue.limited.NumRequeues(key) < c.Retries {
			failures, delay := c.queue.fail(key)
			entry.Failures, entry.Delay = failures, delay.String()
			return
		}
	}
	c.queue.limited.Forget(key)
	if after, err := time.ParseDuration(d.NextSync.Facts.Str("after")); err == nil && after > 0 {
		c.queue.addAfter(key, after)
		entry.Delay = after.String()
	}
}

func split(key string) (namespace, name string) {
	namespace, name, found := strings.Cut(key, "/")
	if !found {
		return "", key
	}
	return namespace, name
}
