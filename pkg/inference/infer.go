package inference

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// inference collects what is known about one object.
type inference struct {
	*Subject
	r   *view.Reader
	now time.Time

	leader leader
	// writes are all that are known, the oldest first; told are those that
	// events tell of.
	writes, told []Write
	refusals     []*corev1.Event
	combined     []*corev1.Event
	eventsErr    error
	// dropped: there are so many events that others may have been dropped.
	// allEvents: none can be missing, of those of the last hour.
	dropped, allEvents bool

	out *Inferred
}

// Infer tells what can be told of the real controller's expectations. It is
// pure: what it needs to know it asks of the Reader.
func Infer(r *view.Reader, s *Subject) *Inferred {
	i := &inference{Subject: s, r: r, now: r.Now(), out: &Inferred{
		Basis: "inferred", Evidence: []decision.Evidence{}, CantTell: []decision.Ruling{}, Settle: []decision.Evidence{},
	}}
	i.findLeader()
	i.findWrites()
	i.judge()
	i.tellWrites()
	i.tellRefusals()
	i.tellLeader()
	i.tellStatus()
	i.limits()
	i.settle()
	i.out.Turns = i.turns()
	i.out.phrase()
	return i.out
}

//go:noinline // it is called at many places
func (i *inference) found(source decision.Ref, rule string, facts ...decision.Fact) {
	i.out.Evidence = append(i.out.Evidence, decision.Evidence{Source: source, Ruling: decision.Ruled(rule, facts...)})
}

func (i *inference) rule(v Verdict, rule, then string, facts ...decision.Fact) {
	facts = append(facts, decision.F(keyProcess, i.Controller.Process))
	i.out.Verdict, i.out.Ruling, i.out.Then = v, decision.Ruled(rule, facts...), decision.Ruled(then, facts...)
}

// turns is when the verdict changes by time alone: a record expires, or the
// Lease runs out because nobody renews it.
func (i *inference) turns() *time.Time {
	at := i.out.Expires
	if l := i.leader; l.known && !l.gone {
		if lapse := l.renewed.Add(l.lasts + time.Second); at == nil || lapse.Before(*at) {
			at = &lapse
		}
	}
	return at
}

// judge comes to the verdict.
func (i *inference) judge() {
	open := i.outstanding()
	switch last := i.last(); {
	case i.Object.GetDeletionTimestamp() != nil:
		i.rule(NotApplicable, TargetTerminating, ThenNothing)
	case i.leader.gone:
		i.rule(NoActiveLeader, LeaseNotHeld, ThenStartsEmpty, decision.F(keyAge, ago(i.now, i.leader.renewed)), decision.F(keyHolder, i.leader.holder))
	case i.Controller.Uncounted && !i.Controller.ReadsBack:
		i.rule(Satisfied, NothingKept, ThenProceeds)
	case i.seenInStatus():
		i.rule(Satisfied, SeenInStatus, ThenProceeds, decision.F(keyAt, stamp(i.statusTime())), decision.F(keyAge, ago(i.now, i.statusTime())))
	case len(open) > 0 && !i.Controller.Uncounted && i.retriedSince(open):
		i.rule(Satisfied, RetriedSince, ThenProceeds, decision.F(keyRefusals, i.refusalsAfter(open)), decision.F(decision.KeyCreations, len(open)))
	case len(open) > 0 && i.triedSince(open):
		i.rule(Satisfied, TriedSince, ThenProceeds, decision.F(keyLast, ago(i.now, newest(i.refusals))))
	case len(open) > 0 && len(i.unseen(open)) == 0:
		i.rule(Satisfied, ActedSince, ThenProceeds, decision.F(keyAt, stamp(i.Acted)), decision.F(keyAge, ago(i.now, i.Acted)))
	case len(open) > 0 && i.countsAll(i.unseen(open)):
		i.rule(Satisfied, CountedInStatus, ThenProceeds, decision.F(keyLast, ago(i.now, open[len(open)-1].At)))
	case len(open) > 0:
		i.perhaps(i.unseen(open))
	case i.swallows():
		i.rule(PossiblyPending, CreationsPossiblyLost, i.closed(), decision.F(keyMissing, i.Wanted-i.Active))
	case !i.covered():
		i.rule(PossiblyPending, WritesPossiblyHidden, i.closed())
	case last != nil && i.leader.forgot(*last):
		i.rule(Satisfied, EmptiedByLeader, ThenProceeds, decision.F(keyAcquired, i.acquired()), decision.F(keyLast, ago(i.now, last.At)))
	case len(i.refusals) > 0 && !i.now.After(expiry(newest(i.refusals))):
		i.rule(Satisfied, OnlyRefused, ThenProceeds, decision.F(keyLast, ago(i.now, newest(i.refusals))))
	case last != nil && !i.counted() && !i.Controller.Uncounted:
		i.rule(Expired, ExpiredUnseen, ThenProceeds, decision.F(keyLast, ago(i.now, last.At)), decision.F(keyExpired, stamp(expiry(last.At))))
	default:
		i.rule(Satisfied, NothingWritten, ThenProceeds)
	}
}

func (i *inference) last() *Write {
	if len(i.writes) == 0 {
		return nil
	}
	return &i.writes[len(i.writes)-1]
}

// expiry is when a record made by the second of a write has expired for sure.
//
//go:noinline // it is called at many places
func expiry(at time.Time) time.Time { return at.Add(expectations.Timeout + time.Second) }

// outstanding are the writes that the memory may still wait for: not those of
// an earlier leader, nor those so old that they no longer count.
func (i *inference) outstanding() []Write {
	status := i.statusTime()
	return slices.DeleteFunc(slices.Clone(i.writes), func(w Write) bool {
		switch {
		case i.leader.forgot(w):
			return true
		case i.Controller.Uncounted:
			return w.Verb == decision.Delete || i.counted() && i.now.After(expiry(w.At)) // deletions are not waited for
		case i.Controller.Forever:
			// No status is written while something is outstanding, but by the
			// sync that wrote it, which does not last as long as that.
			return status.After(expiry(w.At))
		default:
			return i.now.After(expiry(w.At))
		}
	})
}

// covered reports whether every write that could count is known.
func (i *inference) covered() bool {
	if !i.allEvents || i.eventsErr != nil {
		return false
	}
	return !i.Controller.Forever || i.leader.known && !i.leader.acquired.IsZero() && i.now.Sub(i.leader.acquired) < kept
}

// closed is what the controller does while something is outstanding.
func (i *inference) closed() string {
	switch {
	case i.Controller.Uncounted:
		return ThenRetries
	case i.Controller.DropsExpired:
		return ThenDropped
	case i.Controller.Forever:
		return ThenBlocked
	}
	return ThenWaits
}

func (i *inference) perhaps(open []Write) {
	open = i.lastSync(open)
	i.out.Writes = open
	ranges := map[decision.Verb]*Range{decision.Create: &i.out.Creations, decision.Delete: &i.out.Deletions, decision.UpdateInPlace: &i.out.Updates}
	for _, w := range open {
		ranges[w.Verb].Max++
	}
	facts := []decision.Fact{
		decision.F(decision.KeyCreations, i.out.Creations.Max), decision.F(keyDeletions, i.out.Deletions.Max), decision.F(keyUpdates, i.out.Updates.Max),
		decision.F(keyOldest, ago(i.now, open[0].At)), decision.F(keyNewest, ago(i.now, open[len(open)-1].At)),
	}
	if i.Controller.Uncounted {
		i.rule(PossiblyPending, CachesPossiblyBehind, i.closed(), facts...)
		return
	}
	if !i.Controller.Forever {
		at := expiry(open[len(open)-1].At)
		i.out.Expires = &at
		facts = append(facts, decision.F(keyExpires, stamp(at)), decision.F(keyLeft, brief(at.Sub(i.now))))
	}
	i.rule(PossiblyPending, WritesPossiblyPending, i.closed(), facts...)
}

// retriedSince reports whether refusals prove that a later sync acted, which it
// does only when everything before was seen. The sync that made the open
// creations was refused at most once more than it created, as its batches
// double (slowStartBatch); any later one that creates nothing once.
func (i *inference) retriedSince(open []Write) bool {
	for _, w := range open {
		if w.Verb != decision.Create {
			return false
		}
	}
	return !i.Controller.Forever && i.refusalsAfter(open) > len(open)+1
}

// triedSince reports whether a later sync than that of the last creation was refused one: no
// sync comes so far before the caches hold what was written before it (sync of
// stateful_set.go, v1.37.1).
func (i *inference) triedSince(open []Write) bool {
	return i.Controller.OneByOne && newest(i.refusals).Sub(open[len(open)-1].At) > apart
}

// unseen leaves out what a later write to a Pod shows to have been seen: a sync that finds something
// outstanding ends before it (doReconcile of cloneset_controller.go, v1.9.1). Updates may be of
// the same sync, which takes long for many.
func (i *inference) unseen(open []Write) []Write {
	return slices.DeleteFunc(slices.Clone(open), func(w Write) bool {
		if w.Verb == decision.UpdateInPlace {
			return i.Acted.Sub(w.At) > longest
		}
		return i.Acted.Sub(w.At) > apart
	})
}

// longest is more than one sync takes for its updates.
const longest = 5 * time.Minute

func (i *inference) refusalsAfter(open []Write) int {
	n, after := 0, open[len(open)-1].At.Add(time.Second)
	for _, e := range i.refusals {
		if first := e.FirstTimestamp.Time; !first.Before(after) || first.IsZero() && !events.Last(e).Before(after) && e.Count <= 1 {
			n += events.Count(e)
		}
	}
	return n
}

// swallows reports whether creations go unnoticed: the controller takes the
// refusal of a namespace that is being deleted for a success
// (replica_set.go manageReplicas, v1.37.1), and sends no event.
func (i *inference) swallows() bool {
	if i.Controller.Forever || i.Controller.Uncounted || i.Active >= i.Wanted {
		return false
	}
	return admission.Terminating(i.r, i.Target.Namespace) != nil
}

func newest(all []*corev1.Event) time.Time {
	var at time.Time
	for _, e := range all {
		if t := events.Last(e); t.After(at) {
			at = t
		}
	}
	return at
}
