package simulate

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// chance puts on record from where on the timeline is one of several. doubted: what is
// possible depends on more than whether the API server accepts it.
func (r *run) chance(round decision.Round, doubted bool) {
	facts := []decision.Fact{decision.F(keyRound, round.Number), decision.F(keyClock, round.Clock.String())}
	for _, a := range round.Actions {
		if a.Choice != nil {
			facts = append(facts, decision.F(decision.KeyK, a.Choice.K), decision.F(decision.KeyN, a.Choice.N), decision.F(keyVerb, string(a.Verb)), decision.F(keyAlso, others(round.Actions, a)))
			break
		}
	}
	switch {
	case len(facts) > 2:
		r.model.Note(decision.Ruled(OneOfSeveral, facts...))
	case doubted:
		r.model.Note(decision.Ruled(TakenToHappen, facts...))
	case round.Number > 0: // a creation that may be refused
		if r.refused != "" {
			facts = append(facts, decision.F(decision.KeyRefused, r.refused))
		}
		r.model.Note(decision.Ruled(CreationsAccepted, facts...))
	}
}

// among notes which of the Pods that there are at first may be chosen from together: those
// of one controller that are of its update revision, or are not.
func (r *run) among(s *Sync) {
	for _, p := range s.Pods {
		r.choices[p.Name] = fmt.Sprint(s.Decision.Target.Qualified(), " ", p.Updated)
	}
}

// foresee notes the Pods that a sync may delete on another path: those that it chooses from,
// and where that depends on earlier choices, those that may be chosen from with them.
func (r *run) foresee(s *Sync) {
	reached := map[string]bool{}
	for _, a := range s.Decision.Actions {
		of := r.choices[a.Object.Name]
		switch {
		case of == "" || a.Object.Kind != "Pod" || !a.Deletes():
		case r.depends >= 0:
			reached[of] = true
		case a.Certainty == decision.Possible:
			r.tl.MayDelete(a.Object.Name, of)
		}
	}
	if len(reached) == 0 {
		return
	}
	for name, choice := range r.choices {
		if reached[choice] {
			r.tl.MayDelete(name, choice)
		}
	}
}

// others are the further choices of a round: "1 of 2 updated".
func others(actions []decision.Action, first decision.Action) string {
	d := decision.Decision{Actions: actions}
	text := ""
	for _, c := range d.Choices() {
		if c.Pool.Kind == first.Object.Kind && c.Of != first.Choice.Of {
			text += fmt.Sprintf(", and %d of %d %s", c.K, c.N, c.Of)
		}
	}
	return text
}

// places marks what an action on a pod of this simulation's own making cannot
// tell: its name, UID and node are made up, so which of several such pods comes
// first is open, unless something else tells them apart.
func (r *run) places(s *Sync, done []decision.Action) []decision.Action {
	made, hit := 0, 0
	for _, p := range s.Pods {
		if r.isMade(decision.Ref{Namespace: s.Decision.Target.Namespace, Name: p.Name}) {
			made++
		}
	}
	for _, a := range done {
		if ranked(a) && r.isMade(a.Object) {
			hit++
		}
	}
	if hit == 0 || hit == made {
		return done
	}
	for i := range done {
		if ranked(done[i]) && r.isMade(done[i].Object) && done[i].Choice == nil {
			done[i].Share(&decision.Choice{K: hit, N: made})
		}
	}
	r.model.Note(decision.Ruled(NewPodsAlike, decision.F(decision.KeyK, hit), decision.F(decision.KeyN, made)))
	return done
}

// besideNew says that the nodes of new Pods may decide which Pods a sync deletes, if it chooses.
func (r *run) besideNew(s *Sync, done []decision.Action) {
	deletes := func(a decision.Action) bool { return a.Verb == decision.Delete }
	if r.tl.Totals.Create > 0 && s.Decision.Ranks() && slices.ContainsFunc(done, deletes) {
		r.model.Note(decision.Ruled(BesideNewPods))
	}
}

func ranked(a decision.Action) bool {
	return a.Verb == decision.Delete || a.Verb == decision.Recreate || a.Verb == decision.UpdateInPlace
}

func (r *run) isMade(o decision.Ref) bool {
	return r.model.Made(o.Namespace, o.Name)
}

// caveats keeps each caveat of each sync once.
func (r *run) caveats(d *decision.Decision) {
	for _, c := range d.Caveats {
		if !c.In(r.res.Caveats) {
			r.res.Caveats = append(r.res.Caveats, c)
		}
	}
}
