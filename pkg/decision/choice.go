package decision

import (
	"fmt"
	"slices"
	"strings"
)

// Choice says that k of n objects are chosen, and that it is not determined which.
type Choice struct {
	// K is how many of the objects are chosen.
	K int `json:"k"`
	// N is how many objects the choice is among.
	N int `json:"n"`
	// Of tells the choices of one sync apart: actions with the same value share one,
	// whatever their verbs. Where it is absent, those of one verb do.
	Of string `json:"of,omitempty"`
	// AtMost is true when it may also be fewer than k.
	AtMost bool `json:"atMost,omitempty"`
}

// Pool identifies the choice that actions share.
type Pool struct {
	Of, Kind string
}

// Pool is the choice that the action shares with others; ok is false where it
// shares none: it is certain, or each object is a case of its own.
func (a *Action) Pool() (p Pool, ok bool) {
	switch {
	case a.Choice == nil, a.Verb == Create, a.Verb == Adopt:
		return Pool{}, false
	case a.Choice.Of == "":
		return Pool{string(a.Verb), a.Object.Kind}, true
	}
	return Pool{a.Choice.Of, a.Object.Kind}, true
}

// OpenChoice is a choice with what may happen to its objects.
type OpenChoice struct {
	Choice
	Pool Pool
	// Verbs are those of its actions, each once.
	Verbs []Verb
	// Fewer is true when the gravest of them may be done to fewer objects than k.
	Fewer bool
	// updates is how many of its actions update in place.
	updates int
	// starts reports whether the deletion of Pods starts with it.
	starts bool
}

// Choices are the choices that the actions share, in their order.
func (d *Decision) Choices() []OpenChoice {
	var out []OpenChoice
	at := map[Pool]int{}
	for i := range d.Actions {
		a := &d.Actions[i]
		pool, ok := a.Pool()
		if !ok {
			continue
		}
		if _, seen := at[pool]; !seen {
			at[pool] = len(out)
			out = append(out, OpenChoice{Choice: *a.Choice, Pool: pool, Fewer: a.Choice.AtMost})
		}
		c := &out[at[pool]]
		if a.Verb == UpdateInPlace {
			c.updates++
		}
		c.starts = c.starts || a.StartsDeletion
		if !slices.Contains(c.Verbs, a.Verb) {
			c.Fewer = c.Fewer || len(c.Verbs) > 0
			c.Verbs = append(c.Verbs, a.Verb)
		}
	}
	return out
}

// PossibleDeletions says how many Pods of how many are deleted, choice by choice, where
// it is not determined which: "1 of 2 possible". It is empty where it deletes none.
func (d *Decision) PossibleDeletions() string {
	var open []OpenChoice
	for _, c := range d.Choices() {
		if c.Pool.Kind == podKind && slices.Contains(c.Verbs, Delete) {
			open = append(open, c)
		}
	}
	parts := make([]string, len(open))
	for i, c := range open {
		parts[i] = fmt.Sprintf("%d of %d", c.K, c.N)
		if c.AtMost {
			parts[i] = "at most " + parts[i]
		}
		if len(open) > 1 {
			parts[i] += " " + c.Of
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " and ") + " possible"
}
