package trace

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// How long things are waited for.
const (
	// tick is how often verdicts are looked at while time may change them.
	tick = time.Second
	// patience is how long an action that was predicted may take to be seen.
	patience = 10 * time.Second
	// busyFor is how long a target may wait while its controller does other
	// things: its requests are limited to 20 a second.
	busyFor = time.Minute
	// settling is what a controller may need after the API server was away: its
	// informers try again after up to 30 seconds, and twice that by jitter
	// (backoffManager of client-go's tools/cache/reflector.go, v0.37.1).
	settling = 65 * time.Second
	// memory is how long an earlier plan may still explain an act, and an act
	// wait for the event that explains it.
	// Watches lag behind one another by that much on machines that are busy.
	memory = 10 * time.Second
	// lookAgain is how often evidence for a delay is looked for.
	lookAgain = 3 * time.Second
	// maxPlans bounds how many plans are kept for that long.
	maxPlans = 128
	// maxHeld bounds what one target keeps, whatever happens.
	maxHeld = 2000
)

// shadow is what the engine keeps about one target.
type shadow struct {
	c      *runner
	target view.Target
	ref    decision.Ref
	uid    types.UID
	needs  []view.Need
	// plans are those of the last moments, the newest last. Each predicts what
	// follows if nothing that is expected stands in the way.
	plans []*plan
	// held are acts that nothing predicted, for which a cause may still be seen.
	held []*act
	// explained is the resource version of the target with which that was last looked for.
	explained string
	// since is when the oldest action that is left was predicted, or the last
	// one was seen to happen.
	since time.Time
	// lastAct is when its controller was last seen to do anything about it.
	lastAct time.Time
	// created is when it was last seen to create anything.
	created time.Time
	state   entry.State
	// refused: the surroundings say that writes are refused.
	refused bool
	// raised is what the last sync that expected anything expects.
	raised *decision.Expectation
	// reads is the last sync if it waited to read back its writes.
	reads *decision.Decision
	// stirred: an event has queued its key since its last whole sync.
	stirred bool
	// looked is when evidence for a delay was last looked for.
	looked time.Time
	// ended is the resource version with which it was first seen to be deleted, or being
	// deleted; empty while it is not.
	ended string
	// told is which evidence a verdict was last printed with.
	told string
}

// raise keeps what a sync expects, the last one that expected anything.
func (s *shadow) raise(now *decision.Expectation) { s.raised = now }

// shadow finds or makes what is kept about a target. Another object that had its
// name before is forgotten.
func (e *Engine) shadow(c *runner, key string, obj metav1.Object) *shadow {
	if s, ok := c.shadows[key]; ok && s.uid == obj.GetUID() {
		return s
	} else if ok {
		e.forget(s)
	}
	s := &shadow{
		c: c, uid: obj.GetUID(), state: entry.Idle, stirred: true,
		target: view.Target{Kind: c.of.Kind, Namespace: obj.GetNamespace(), Name: obj.GetName()},
		ref:    decision.Ref{APIVersion: c.of.Kind.GroupVersion().String(), Kind: c.of.Kind.Kind, Namespace: obj.GetNamespace(), Name: obj.GetName()},
	}
	c.shadows[key] = s
	s.noteEnd(obj, false)
	return s
}

// begins notes that a whole sync of what is known now begins.
func (s *shadow) begins() { s.stirred, s.reads = false, nil }

// asks keeps what decisions are known to read.
func (s *shadow) asks(needs []view.Need) { s.needs = needs }

// noteEnd notes since when the target is deleted, or being deleted.
func (s *shadow) noteEnd(obj metav1.Object, gone bool) {
	if s.ended == "" && s.uid == obj.GetUID() && (gone || obj.GetDeletionTimestamp() != nil) {
		s.ended = obj.GetResourceVersion()
	}
}

// predict keeps a plan for as long as it may explain an act.
func (s *shadow) predict(p *plan) {
	if n := len(s.plans); n > 0 && !p.open() && !s.plans[n-1].open() {
		s.plans[n-1] = p
	} else {
		s.plans = append(s.plans, p)
	}
	old := 0
	for old < len(s.plans)-1 && p.at.Sub(s.plans[old+1].at) > memory {
		old++ // it was replaced that long ago
	}
	if extra := len(s.plans) - maxPlans; extra > old {
		old = extra
	}
	s.plans = s.plans[old:]
}

// now is the newest plan.
func (s *shadow) now() *plan {
	if len(s.plans) == 0 {
		return &plan{}
	}
	return s.plans[len(s.plans)-1]
}

// take finds an act in the plans, newest first, and takes it off all of them.
func (s *shadow) take(a *act) (certain, found bool) {
	for _, plan := range slices.Backward(s.plans) {
		sure, here := plan.take(a)
		if here && !found {
			certain, found = sure, true
		}
	}
	return certain, found
}
