package simulate

import (
	"cmp"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// cut ends a simulation before a round that would be one too many.
func (r *run) cut(s *Sync, picked []decision.Action) bool {
	limit, rule := mostRounds, TooManyRounds
	if r.o.Rounds > 0 {
		limit, rule = r.o.Rounds, RoundsShown
	}
	switch {
	case len(picked) == 0 && r.work < mostWork && r.atOnce < mostAtOnce:
		return false
	case r.o.Rounds == 0 && r.strays() > strayed*(r.last[r.own()].Wanted+1):
		rule = EndStrays
	case r.o.Rounds == 0 && r.work >= mostWork || r.work >= 50*mostWork || r.atOnce >= mostAtOnce:
		rule = TooMuchWork
	case !s.counts(picked) || r.tl.Totals.Rounds < limit || r.numbered():
		return false
	}
	if n := len(r.tl.Rounds); r.merges() && !r.numbered() {
		r.tl.Rounds = r.tl.Rounds[:n-1] // it only leads to what is one too many
	}
	why, _ := r.why()
	r.tl.End.Outcome, r.tl.End.Why = decision.Unfinished, why
	r.tl.End.Clock = r.clock()
	r.tl.End.Ruling = decision.Ruled(rule, decision.F(keyRounds, r.tl.Totals.Rounds), decision.F(keySyncs, r.syncs), decision.F(keyPods, len(r.standing().Pods)), decision.F(keyStrays, r.strays()))
	return true
}

// overdue notes the first time that the target reports a deadline that has passed: who waits
// for the rollout gives up then.
func (r *run) overdue(s *Sync) {
	if passes := s.Overdue != nil && !r.late; passes && r.tl.Overdue == nil {
		r.tl.Overdue = &decision.Overdue{Clock: r.clock(), Ruling: *s.Overdue}
		s.phrase(&r.tl.Overdue.Ruling)
	}
	r.late = s.Overdue != nil
}

// strayed is how many times the desired Pods are created by a controller whose Pods are
// not its own, before its rounds end.
const strayed = 5

// strays are the Pods that were created, are not deleted, and are not the target's.
func (r *run) strays() int {
	made := r.tl.Totals.Create - r.tl.Totals.Delete
	if made <= r.last[r.own()].Wanted {
		return 0
	}
	return max(0, made-len(r.standing().Pods))
}

// tooMany refuses to make more pods than a simulation can hold: what follows from
// a part of a creation is not what would happen.
func (r *run) tooMany(picked []decision.Action) error {
	n := r.tl.Totals.Create
	for _, a := range picked {
		if a.Verb == decision.Create {
			n += a.Count
		}
	}
	if n <= mostCreated {
		return nil
	}
	return fmt.Errorf("%s: too much work: %d Pods would be created, and at most %d are simulated: give a lower --rounds, or neither --rounds nor --until-stable for the next sync alone",
		r.res.First.Target.Qualified(), n, mostCreated)
}

// finish says how it ends, and phrases everything.
func (r *run) finish() {
	if r.tl.End.Outcome == "" {
		r.verdict()
	}
	recreated(r.tl)
	if r.tl.End.Outcome == decision.Blocked {
		d := r.standing().Decision
		r.tl.End.Later, r.tl.End.Hanging = d.Afterwards(), d.Hanging
	}
	if r.late { // why it ends says so
		r.tl.Overdue = nil
	}
	if n := len(r.tl.Rounds); n > 0 { // syncs that end early may come after the last change
		r.tl.End.Clock = max(r.tl.End.Clock, r.tl.Rounds[n-1].Clock)
	}
	r.tl.Lacking = r.lacking()
	r.model.Reached()
	r.tl.Notes = r.model.Notes()
	if r.lags() {
		r.tl.WatchLag = decision.Span(r.o.WatchLag)
		r.tl.Notes = append(r.tl.Notes, decision.Ruled(WatchLagGiven, decision.F(keyLag, r.tl.WatchLag.String()), decision.F(keyStopped, r.tl.Totals.Stopped)))
	}
	if r.ripens {
		r.tl.Notes = append(r.tl.Notes, decision.Ruled(RetriedInTime))
	}
	r.tl.Notes = append(r.tl.Notes, r.ofNewPods()...)
	r.tl.EachRuling(Rules.Put)
	r.tl.Answer, r.tl.Cost = answerOf(r.res.First.Target, r.tl, r.res.shed), costOf(r.tl)
	r.res.Timeline = r.tl
}

// lacking are the Pods of the start for whose sake no other one is made, as after a rollback to
// what they run, and that are not available: what is the matter with them today is so at the end.
func (r *run) lacking() map[string]bool {
	names := map[string]bool{}
	for _, p := range r.standing().Pods {
		names[p.Name] = p.Updated && !p.Available
	}
	for _, round := range r.tl.Rounds {
		for i := range round.Actions {
			if ranked(round.Actions[i]) { // another Pod may have the name now, or another image
				delete(names, round.Actions[i].Object.Name)
			}
		}
	}
	return names
}

// excepting are assumptions about some of those that are created, or updated in place.
var excepting = []string{cluster.AlikeFail, cluster.RejectedAgain, cluster.PlacesTaken, cluster.NoNodeFits}

// ofNewPods is what is assumed of those that are created, or updated in place, and of
// which nothing else is.
func (r *run) ofNewPods() (notes []decision.Ruling) {
	var others []decision.Fact
	if slices.ContainsFunc(r.tl.Notes, func(n decision.Ruling) bool { return slices.Contains(excepting, n.Rule) }) {
		others = append(others, decision.F(keyOthers, true))
	}
	if r.tl.Totals.Create+r.tl.Totals.Update > 0 {
		notes = append(notes, decision.Ruled(AllBecomeReady, append(others, decision.F(keyAfter, r.model.ReadyAfter().String()))...))
	}
	if r.tl.Totals.Create == 0 {
		return notes
	}
	if !r.model.NamesMade() {
		others = append(others, decision.F(keyNamed, true))
	}
	if r.model.NodesAssumed() {
		others = append(others, decision.F(keyNodes, true))
	}
	return append(notes, decision.Ruled(NamesMadeUp, others...))
}

// verdict is the end of a target for which nothing happens any more: no action,
// no event, and no timer that changes anything.
func (r *run) verdict() {
	why, bySpec := r.why()
	own := r.last[r.own()]
	c := r.tl.End.Counts
	facts := []decision.Fact{decision.F(decision.KeyDesired, c.Wanted), decision.F(keyPods, c.Pods), decision.F(keyAvailable, c.Available)}
	r.tl.End.Why = why
	defer r.unsure()
	switch stuck := r.model.Stuck(); {
	case own.Beyond != nil && own.Beyond() != "":
		r.ends(decision.Unfinished, EndBeyond, append(facts, decision.F(keyReason, own.Beyond())))
	case r.model.Rejects() != "":
		r.ends(decision.Blocked, EndRejected, append(facts, decision.F(keyReason, r.model.Rejects())))
	case len(why) > 0 && !bySpec:
		r.ends(decision.Blocked, EndBlocked, facts)
	case c.Pods != c.Wanted:
		r.ends(decision.Blocked, EndAlone, facts)
	case c.Available < c.Pods:
		r.ends(decision.Blocked, EndUnready, facts)
	case len(why) > 0:
		r.ends(decision.Stable, EndHeld, facts) // as in explain
	case len(stuck) > 0:
		r.ends(decision.Stable, EndNotDeleted, append(facts, decision.F(keyStuck, stuck[0]), decision.F(keyMore, len(stuck)-1)))
	default:
		r.ends(decision.Stable, EndStable, facts)
	}
}

// ends sets the end.
//
//go:noinline // a call is shorter than what it does
func (r *run) ends(o decision.Outcome, rule string, facts decision.Facts) {
	r.tl.End.Outcome, r.tl.End.Ruling = o, decision.Ruling{Rule: rule, Facts: facts}
}

// Rescaled says of the end that an autoscaler, which is not simulated, sets another number of
// replicas then, as change tells; empty for none.
func (r *Result) Rescaled(change string) {
	t := r.Timeline
	switch e := &t.End; {
	case change == "":
	case e.Outcome == decision.Stable:
		why := cmp.Or(because(t), stands(e.Facts))
		e.Outcome, e.Ruling = decision.Unfinished, decision.Ruled(EndRescaled, append(e.Facts, decision.F(keyChange, change), decision.F(keyReason, why))...)
		t.EachRuling(Rules.Put)
		t.Answer = answerOf(r.First.Target, t, r.shed)
	default:
		t.AddAnswer(" " + change + ".")
	}
}

// stands is what a stable end has: its available Pods, and those that are not removed.
func stands(fs decision.Facts) string {
	text := fmt.Sprintf("%d of %d Pods available", fs.Int(keyAvailable), fs.Int(decision.KeyDesired))
	if stuck := fs.Str(keyStuck); stuck != "" {
		text += "; " + stuck
	}
	if n := fs.Int(keyMore); n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return text
}

// unsure takes nothing for blocked that the garbage collector may end, or a node for a Pod of
// which the scheduler has not said yet that none fits. What is blocked lacks the Pods of which
// it has: nothing came of that so far.
func (r *run) unsure() {
	if r.tl.End.Outcome != decision.Blocked {
		return
	}
	if object, verb := r.collected(); object != "" {
		r.ends(decision.Unfinished, EndCollected, decision.Facts{decision.F(keyObject, object), decision.F(keyVerb, verb)})
	} else if n, why := r.model.Nodeless(); n > 0 {
		r.ends(decision.Unfinished, EndNodeless, nodeless(n, why))
	} else if waits, gone, found := r.model.Homeless(); found {
		r.ends(decision.Unfinished, EndHomeless, decision.Facts{decision.F(keyPod, waits), decision.F(keyGone, gone)})
	} else if n, why := r.model.Refused(); n > 0 {
		r.tl.End.Why = append(r.tl.End.Why, said(EndNodeless, nodeless(n, why)...))
	}
}

func nodeless(n int, why string) decision.Facts {
	return decision.Facts{decision.F(keyPods, n), decision.F(keyReason, why)}
}

// collected is what is being deleted, of the target and what has Pods of what it scales, once
// the garbage collector is done with its dependents, and what it does to these.
func (r *run) collected() (object, verb string) {
	for _, k := range r.keys() {
		t := r.actors[k.actor].target(k.key)
		s := r.last[k]
		obj, there := r.model.Get(t.Kind, t.Namespace, t.Name)
		if !there || s == nil || obj.GetDeletionTimestamp() == nil || k != r.own() && s.Wanted+len(s.Pods) == 0 {
			continue
		}
		for _, name := range obj.GetFinalizers() {
			switch name {
			case metav1.FinalizerOrphanDependents:
				verb = "orphans"
			case metav1.FinalizerDeleteDependents:
				verb = cmp.Or(verb, "deletes") // see lineage.Orphaning
			}
		}
		if verb != "" {
			return s.Decision.Target.String(), verb
		}
	}
	return "", ""
}

// why is what the controllers leave undone: the target's own reasons, and before them
// those about what it scales, which no spec of the target holds.
func (r *run) why() (why []decision.Ruling, bySpec bool) {
	for _, k := range r.scaled() {
		if d := r.last[k]; d != nil && d.Wanted+len(d.Pods) > 0 { // one without Pods holds up none
			left, _ := d.left()
			why = append(why, left...)
		}
	}
	own, bySpec := r.last[r.own()].left()
	return append(why, own...), bySpec && len(why) == 0
}

// phrase puts a ruling of the controller into words.
//
//go:noinline // it is called at many places
func (s *Sync) phrase(r *decision.Ruling) {
	if r.Message = r.Rule; s.Say != nil {
		r.Message = s.Say(*r)
	}
}

func (s *Sync) left() ([]decision.Ruling, bool) {
	if s.Left == nil {
		return nil, false
	}
	why, bySpec := s.Left()
	for i := range why {
		if why[i].Message == "" {
			s.phrase(&why[i])
		}
	}
	return why, bySpec
}
