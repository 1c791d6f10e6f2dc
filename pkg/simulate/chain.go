package simulate

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostRetries bounds the retries of a Chain. Bookkeeping takes a Deployment's
// controller a sync for the new set and one for the Deployment itself.
const mostRetries = 3

// Chain is a sync of a target and what follows it in the same instant.
type Chain struct {
	// Own are the target's syncs: the first, and after each that fails on its own
	// write the retry, as if nothing else happened in those milliseconds. The one after a
	// first sync that writes status alone is there if it does something because of that.
	Own []Link
	// Others are the next syncs of what Own scales and creates, in the order of what
	// causes them, and then of what has something to do anyway. They are side by side:
	// each is of the cluster as Own leaves it.
	Others []Link
}

// Link is a sync of a Chain.
type Link struct {
	Target view.Target
	// Cause is the action that it follows from, By the number of the sync in Own that
	// does that. Own have none; that of one that is Due names the object alone.
	Cause decision.Action
	By    int
	// Due reports whether it follows from nothing that the target's controller does.
	Due bool
	// Sync is nil where Err says why it is not known.
	*Sync
	Err error
	// InTurn is the sync of one that creates Pods, with the room in quotas that those
	// before it leave; nil for fewer than two, and from one that cannot be decided.
	InTurn *Sync
	// Reader is what it read through.
	Reader *view.Reader

	at slot
}

// Creates reports whether the sync creates Pods.
func (l *Link) Creates() bool { return l.Err == nil && l.Decision.Summary.Create > 0 }

// Follow syncs a target, whose own controller is the first of the actors, and lets
// the others do what follows in the same instant, and what is due anyway. The first sync
// reads through r. Its error is that of the first sync.
func Follow(r *view.Reader, target view.Target, actors []Actor, due []view.Target, o Options) (*Chain, error) {
	c := &chain{run: newRun(r.View, target, actors, o)}
	first := Link{Target: target, Reader: r, at: c.run.own()}
	if first.Sync, first.Err = c.run.actors[0].Step(r, target); first.Err != nil {
		return nil, first.Err
	}
	c.retry(first)
	c.others()
	c.anyway(due)
	c.inTurn()
	return &c.Chain, nil
}

// chain is a Chain while it is made.
type chain struct {
	run *run
	Chain
}

// retry takes a sync of the target, and the retries that follow.
func (c *chain) retry(l Link) {
	c.Own = append(c.Own, l)
	if l.Err != nil {
		return
	}
	c.run.model.CommitAll(l.Writes, nil)
	c.run.hear(l.at, true)
	switch {
	case l.Reader.Provisional():
	case l.Retries && len(c.Own) <= mostRetries:
		c.retry(c.next(l.at))
	case len(c.Own) == 1 && l.Reports():
		if next := c.next(l.at); next.Err == nil && len(next.Decision.Actions) > 0 {
			c.retry(next)
		}
	}
}

// Reports reports whether all that the sync does is to write status, which brings the
// target back into the queue.
func (l *Link) Reports() bool {
	return l.Err == nil && !l.Retries && len(l.Decision.Actions) == 0 && l.Decision.Status.Writes
}

// next lets a controller sync on the cluster as it is now.
func (c *chain) next(k slot) Link {
	a := c.run.actors[k.actor]
	l := Link{Target: a.target(k.key), Reader: c.run.model.View().Reader(), at: k}
	l.Sync, l.Err = a.Step(l.Reader, l.Target)
	return l
}

// others syncs the keys that the target's writes queued.
func (c *chain) others() {
	for k, ok := c.run.queue.get(c.run.model.Now()); ok; k, ok = c.run.queue.get(c.run.model.Now()) {
		if k == c.run.own() {
			continue
		}
		if cause, by, ok := c.cause(c.run.actors[k.actor].target(k.key)); ok {
			l := c.next(k)
			l.Cause, l.By = cause, by
			c.Others = append(c.Others, l)
		}
	}
}

// anyway syncs what is due, where no write of the target queued it.
func (c *chain) anyway(due []view.Target) {
	for i, a := range c.run.actors[1:] {
		for _, t := range due {
			k := slot{i + 1, t.Key()}
			synced := slices.ContainsFunc(c.Others, func(l Link) bool { return l.at == k })
			if a.Kind.GroupKind() != t.Kind.GroupKind() || synced || !c.run.there(k) {
				continue
			}
			l := c.next(k)
			l.Due = true
			l.Cause.Certainty = decision.Certain
			l.Cause.Object = decision.Ref{APIVersion: t.Kind.GroupVersion().String(), Kind: t.Kind.Kind, Namespace: t.Namespace, Name: t.Name}
			c.Others = append(c.Others, l)
		}
	}
}

// cause is the last action that scales or creates an object, and the sync that does.
func (c *chain) cause(t view.Target) (cause decision.Action, by int, ok bool) {
	for i, l := range c.Own {
		if l.Err != nil {
			continue
		}
		for _, a := range l.Decision.Actions {
			scales := a.Verb == decision.Scale || a.Verb == decision.Create
			if scales && a.Object.Name == t.Name && a.Object.Kind == t.Kind.Kind && a.Object.APIVersion == t.Kind.GroupVersion().String() {
				cause, by, ok = a, i, true
			}
		}
	}
	return cause, by, ok
}

// inTurn decides again on those that create Pods, one after the other.
func (c *chain) inTurn() {
	var creating []*Link
	for i := range c.Others {
		if l := &c.Others[i]; l.Creates() {
			creating = append(creating, l)
		}
	}
	if len(creating) < 2 {
		return
	}
	for _, l := range creating {
		again := c.next(l.at)
		if again.Err != nil {
			return
		}
		for i := range again.Writes {
			c.run.model.Charge(&again.Writes[i])
		}
		l.InTurn = again.Sync
	}
}
