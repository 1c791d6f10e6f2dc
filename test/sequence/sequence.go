// Package sequence answers, for tests: did a controller do what a simulation
// predicted, in the same order?
package sequence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Act is one write of a controller. Creations have no name that could be
// predicted.
type Act struct {
	Verb decision.Verb
	Name string
}

func (a Act) String() string { return strings.TrimSpace(string(a.Verb) + " " + a.Name) }

// Round are the acts of one round, in any order: a sync sends them side by side.
type Round struct {
	Number int
	Acts   []Act
	// Open are of Pods that are not deterministic: only their number is predicted.
	Open []Act
}

// Rounds are the rounds of a timeline with their acts on pods, as far as they
// are of these verbs. An update in place counts once, however many syncs it takes.
func Rounds(t *decision.Timeline, verbs ...decision.Verb) []Round {
	var all []Round
	updated := map[Act]bool{}
	for _, r := range t.Rounds {
		round := Round{Number: r.Number}
		for _, a := range r.Actions {
			act := Act{a.Verb, a.Object.Name}
			switch {
			case a.Object.Kind != "Pod" || !slices.Contains(verbs, a.Verb) || updated[act]:
			case a.Verb == decision.Create:
				round.Acts = append(round.Acts, Act{Verb: a.Verb})
			case a.Choice != nil || r.Depends || isNew(act.Name):
				round.Open = append(round.Open, act)
			default:
				round.Acts = append(round.Acts, act)
			}
			updated[act] = a.Verb == decision.UpdateInPlace
		}
		if len(round.Acts)+len(round.Open) > 0 {
			all = append(all, round)
		}
	}
	return all
}

// isNew tells a pod whose name the simulation made up.
func isNew(name string) bool { return strings.Contains(name, "<new ") }

// Compare demands that did is what the rounds predict: all acts of one round
// in any order, then all of the next.
func Compare(predicted []Round, did []Act) error {
	at := 0
	for _, r := range predicted {
		n := len(r.Acts) + len(r.Open)
		if len(did)-at < n {
			return fmt.Errorf("round %d: predicted %v, and then came only %v", r.Number, slices.Concat(r.Acts, r.Open), did[at:])
		}
		if err := r.compare(did[at : at+n]); err != nil {
			return err
		}
		at += n
	}
	if at < len(did) {
		return fmt.Errorf("after the last round came %v", did[at:])
	}
	return nil
}

func (r Round) compare(did []Act) error {
	left := slices.Clone(did)
	for _, want := range r.Acts {
		i := slices.Index(left, want)
		if i < 0 {
			return fmt.Errorf("round %d: predicted %v, which is not among %v", r.Number, want, did)
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, open := range r.Open {
		i := slices.IndexFunc(left, func(a Act) bool { return a.Verb == open.Verb })
		if i < 0 {
			return fmt.Errorf("round %d: predicted to %s one of several Pods, and none is among %v", r.Number, open.Verb, did)
		}
		left = slices.Delete(left, i, i+1)
	}
	return nil
}
