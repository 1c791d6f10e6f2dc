package trace

import (
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// saw takes an act to the target whose controller may have done it.
func (e *Engine) saw(a *act) {
	for _, c := range e.controllers {
		if c.of.Kind.Kind != a.owner.Kind {
			continue
		}
		obj, there := e.cluster.Get(c.of.Kind, a.object.Namespace, a.owner.Name)
		switch {
		case !there || obj.GetUID() != a.owner.UID:
			e.keepEarly(a)
		case e.picks(c.of.Kind, obj):
			e.compare(e.shadow(c, keyOf(a.object.Namespace, a.owner.Name), obj), a)
		}
		return
	}
}

// keepEarly keeps acts whose target the other watch has still to tell.
func (e *Engine) keepEarly(a *act) {
	if a.verb == decision.Delete && e.running || len(e.early[a.owner.UID]) >= maxHeld {
		return // of a target that is gone: the garbage collector's
	}
	e.early[a.owner.UID] = append(e.early[a.owner.UID], a)
}

func (e *Engine) claimEarly(s *shadow) {
	if acts, ok := e.early[s.uid]; ok {
		delete(e.early, s.uid)
		for _, a := range acts {
			e.compare(s, a)
		}
	}
}

// compare looks for an act among what was predicted. Events that came in one go
// left no time for that: then it is decided on the state right before the act.
// What that does not explain may have a cause that another watch has still to
// tell.
func (e *Engine) compare(s *shadow, a *act) {
	if a.anothers(s.c.of.Agent.Manager) {
		e.standing(s, a, entry.Foreign, a.writer+" wrote it")
		return
	}
	if obj := e.present(s); obj != nil && obj.GetResourceVersion() != s.explained {
		e.explainHeld(s, obj, a) // it may be the cause of those before
	}
	if certain, found := s.take(a); found {
		e.standing(s, a, standingOf(certain, entry.Predicted), "")
		return
	}
	if e.look(s, undoOf([]*act{a})) {
		if certain, found := s.take(a); found {
			e.standing(s, a, standingOf(certain, entry.SeenFirst), "")
			return
		}
	}
	if len(s.held) < maxHeld {
		a.wanted = slices.ContainsFunc(s.plans, func(p *plan) bool { return p.wantsLike(a) })
		a.matched = a.verb == decision.Release && e.readopts(s, a)
		s.held = append(s.held, a)
		e.watched[s] = true
	}
}

// readopts reports whether the controller would adopt what was released, as it is now: it
// releases only what its selector does not match (ClaimObject of
// pkg/controller/controller_ref_manager.go, v1.37.1).
func (e *Engine) readopts(s *shadow, a *act) bool {
	obj := e.present(s)
	if obj == nil {
		return false
	}
	d, err := e.decideFree(s, obj, nil)
	return err == nil && slices.ContainsFunc(d.Actions, func(x decision.Action) bool {
		return x.Verb == decision.Adopt && x.Object.Kind == a.object.Kind && x.Object.Name == a.object.Name
	})
}

// present is the target as it is now, nil where it is gone or another one has its name.
func (e *Engine) present(s *shadow) metav1.Object {
	obj, there := e.cluster.Get(s.target.Kind, s.target.Namespace, s.target.Name)
	if !there || obj.GetUID() != s.uid {
		return nil
	}
	return obj
}

func standingOf(certain bool, standing entry.Standing) entry.Standing {
	if certain {
		return standing
	}
	return entry.Undetermined
}

// look predicts what follows from the state as it is, less what is undone.
func (e *Engine) look(s *shadow, without undo) bool {
	obj := e.present(s)
	if obj == nil {
		return false
	}
	d, err := e.decideFree(s, obj, without)
	if err == nil {
		s.predict(newPlan(d, e.made))
	}
	return err == nil
}

// peek keeps what follows from a spec that is about to be replaced before it
// was synced: the real controller may have been faster.
func (e *Engine) peek(d Delta) {
	for _, c := range e.controllers {
		if c.of.Kind.GroupKind() != d.Kind.GroupKind() {
			continue
		}
		key := keyOf(d.Object.GetNamespace(), d.Object.GetName())
		was, there := e.cluster.Get(d.Kind, d.Object.GetNamespace(), d.Object.GetName())
		if _, queued := c.queue.since[key]; queued && there && was.GetGeneration() != d.Object.GetGeneration() {
			e.look(e.shadow(c, key, was), nil)
		}
	}
}

// standing puts an act on record.
func (e *Engine) standing(s *shadow, a *act, standing entry.Standing, why string) {
	now := e.clock.Now()
	if standing != entry.Foreign {
		e.sum.Acts++
		s.since, s.lastAct, s.c.lastAct = latest(s.since, a.at), latest(s.lastAct, a.at), latest(s.c.lastAct, a.at)
		if a.verb == decision.Create {
			s.created = latest(s.created, a.at)
		}
	}
	counters := map[entry.Standing]*int{
		entry.Predicted: &e.sum.Predicted, entry.SeenFirst: &e.sum.SeenFirst, entry.Undetermined: &e.sum.Undetermined,
		entry.Foreign: &e.sum.Foreign, entry.Otherwise: &e.sum.Misses,
	}
	*counters[standing]++
	said := &entry.Act{Verb: a.verb, Object: a.object, To: a.to, Changed: a.changed, Standing: standing, Why: why}
	if now.After(a.at) {
		said.SeenAt = &a.at
	}
	if standing == entry.Otherwise {
		said.Wanted = s.now().wants()
	}
	e.emit(&entry.Entry{Type: entry.Acted, Object: &s.ref, Act: said})
}

// explainHeld decides on the state before the acts that nothing predicted: what
// follows from it was seen before its cause. The next act may follow from what that led to.
// The acts that come next are not done yet.
func (e *Engine) explainHeld(s *shadow, obj metav1.Object, next ...*act) {
	s.explained = obj.GetResourceVersion()
	for left := len(s.held) + 1; len(s.held) > 0 && len(s.held) < left; {
		left = len(s.held)
		d, err := e.decideFree(s, obj, undoOf(slices.Concat(s.held, next)))
		if err != nil {
			return
		}
		before := newPlan(d, e.made)
		s.held = slices.DeleteFunc(s.held, func(a *act) bool {
			certain, found := before.take(a)
			if found {
				e.standing(s, a, standingOf(certain, entry.SeenFirst), "")
			}
			return found
		})
	}
}

// tick looks at everything that time alone changes.
func (e *Engine) tick() {
	now := e.clock.Now()
	e.nextTick = now.Truncate(tick).Add(e.pause())
	for _, s := range e.inOrder() {
		e.giveUp(s, now.Add(-memory))
		if !s.c.queue.pending(keyOf(s.ref.Namespace, s.ref.Name)) { // its sync judges it
			e.judge(s)
		}
	}
	for _, uid := range slices.Sorted(maps.Keys(e.early)) {
		if now.Sub(e.early[uid][0].at) > 2*memory {
			delete(e.early, uid) // of a target that is not traced, or not there
		}
	}
}

// inOrder are the shadows that time may bring to another verdict.
func (e *Engine) inOrder() []*shadow { return slices.SortedFunc(maps.Keys(e.watched), byTarget) }

// everyShadow are those of all targets, also of those that time alone changes nothing
// about: of one whose creations are refused, nothing is left that it could still do.
func (e *Engine) everyShadow() []*shadow {
	var all []*shadow
	for _, c := range e.controllers {
		all = slices.AppendSeq(all, maps.Values(c.shadows))
	}
	slices.SortFunc(all, byTarget)
	return all
}

func byTarget(a, b *shadow) int {
	return strings.Compare(a.ref.Kind+a.ref.Namespace+"/"+a.ref.Name, b.ref.Kind+b.ref.Namespace+"/"+b.ref.Name)
}

// giveUp judges acts that were seen before an instant, and whose cause was not
// seen since.
func (e *Engine) giveUp(s *shadow, before time.Time) {
	if len(s.held) == 0 || !s.held[0].at.Before(before) {
		return
	}
	obj, there := e.cluster.Get(s.target.Kind, s.target.Namespace, s.target.Name)
	if there {
		e.explainHeld(s, obj)
	}
	s.held = slices.DeleteFunc(s.held, func(a *act) bool {
		if !a.at.Before(before) {
			return false
		}
		standing, why := e.blame(s, a, obj)
		e.standing(s, a, standing, why)
		return true
	})
}

// blame tells acts of others from misses.
func (e *Engine) blame(s *shadow, a *act, obj metav1.Object) (entry.Standing, string) {
	gone := obj == nil || obj.GetUID() != s.uid
	switch {
	case s.ended != "" && newer(a.version, s.ended) && gone:
		return entry.Foreign, "the " + s.ref.Kind + " itself was deleted"
	case s.ended != "" && newer(a.version, s.ended):
		return entry.Foreign, "the " + s.ref.Kind + " itself is being deleted"
	case a.writer != "" && a.verb != decision.Delete && a.writer != s.c.of.Agent.Manager:
		return entry.Foreign, a.writer + " wrote it last"
	case e.shaken(a.at):
		return entry.Undetermined, "events were missing while a watch was broken"
	case !newer(a.version, e.listed):
		return entry.Undetermined, "it happened before the trace watched"
	case a.verb == decision.Delete && !a.wanted && (s.ended != "" || !gone):
		return entry.Foreign, "there was nothing too many"
	case a.matched:
		return entry.Foreign, "the selector still matched"
	case gone || s.ended != "":
		return entry.Undetermined, "the " + s.ref.Kind + " was deleted before a cause was seen"
	}
	return entry.Otherwise, ""
}

// judge finds the state of a target, and says so when it changes.
func (e *Engine) judge(s *shadow) {
	now := e.clock.Now()
	open := s.now().open()
	if !open {
		s.since = time.Time{}
	} else if s.since.IsZero() {
		s.since = now
	}
	if open || len(s.held) > 0 {
		e.watched[s] = true
	} else {
		delete(e.watched, s)
	}
	e.settle(s, e.stateOf(s, open, now))
}

func (e *Engine) stateOf(s *shadow, open bool, now time.Time) entry.State {
	since := latest(s.since, e.seeing.Add(settlingAfter(e)))
	due := since.Add(patience)
	switch {
	case !open && s.refused:
		return entry.Refused
	case !open:
		return entry.Idle
	case !e.blind.IsZero():
		return entry.Unknown
	case now.Before(due):
		return entry.Acting
	case s.refused:
		return entry.Refused
	case now.Sub(s.c.lastAct) < patience/2 && now.Sub(since) < busyFor:
		return entry.Busy
	case s.state == entry.Busy && !e.sure(due):
		return entry.Busy
	case s.state != entry.Late && !e.sure(due):
		return entry.Acting
	}
	return entry.Late
}

// settle says a state that is new, or a delay for which there is new evidence.
func (e *Engine) settle(s *shadow, state entry.State) {
	was := s.state
	s.state = state
	switch state {
	case entry.Late, entry.Refused:
		if was == state && e.clock.Now().Sub(s.looked) < lookAgain {
			return
		}
		s.looked = e.clock.Now()
		evidence := e.evidence(s)
		if s.refused { // seen only now: an event of a refusal queues no key
			state, s.state = entry.Refused, entry.Refused
		}
		told := rulesOf(evidence)
		if was == state && (told == s.told || !e.sure(e.clock.Now().Add(-patience))) {
			return
		}
		if was != state {
			count(state, e.sum)
		}
		s.told = told
		e.verdict(s, evidence)
	default:
		s.told = ""
		if loud(was) || loud(state) && was != state || !e.o.Brief && was != state {
			e.verdict(s, nil)
		}
	}
}

func count(state entry.State, sum *entry.Summary) {
	if state == entry.Late {
		sum.Late++
	} else {
		sum.Refused++
	}
}

func loud(s entry.State) bool { return s == entry.Late || s == entry.Refused }

func (e *Engine) verdict(s *shadow, evidence []decision.Evidence) {
	e.emit(&entry.Entry{Type: entry.Judged, Object: &s.ref, Verdict: &entry.Verdict{
		State: s.state, Since: s.since, Actions: s.now().wants(), Evidence: evidence,
	}})
}

func rulesOf(all []decision.Evidence) string {
	var rules []string
	for _, e := range all {
		rules = append(rules, e.Rule)
	}
	return strings.Join(rules, " ")
}
