package deployment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// predicate says what is done, and what may be done. What follows the creation
// of a set that may be refused is not done then.
func predicate(d *decision.Decision) string {
	doubted := slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return a.Verb == decision.Create && a.Certainty == decision.Possible })
	var certain, possible []decision.Action
	for _, a := range d.Actions {
		if a.Certainty == decision.Certain && !doubted {
			certain = append(certain, a)
		} else {
			possible = append(possible, a)
		}
	}
	var parts []string
	for _, one := range []struct {
		verb    string
		actions []decision.Action
	}{{format.Would(len(d.WhatIf) > 0), certain}, {"may", possible}} {
		part := &decision.Decision{Target: d.Target, Actions: one.actions}
		part.Summarize()
		if p := phrases(part); len(p) > 0 {
			parts = append(parts, one.verb+" "+strings.Join(p, ", "))
		}
	}
	return strings.Join(parts, " and ")
}

// phrases lists what is done to ReplicaSets: scaled ones by name while they
// are few, all else by number.
func phrases(d *decision.Decision) []string {
	var out []string
	add := func(verb string, n int) {
		if n > 0 {
			out = append(out, verb+" "+format.Plural(n, "ReplicaSet"))
		}
	}
	add("adopt", d.Summary.Adopt)
	add("release", d.Summary.Release)
	add("create", d.Summary.Create)
	if d.Summary.Scale > 3 {
		add("scale", d.Summary.Scale)
	} else {
		out = append(out, scalings(d)...)
	}
	add("delete", d.Summary.Delete())
	if len(out) == 0 && d.Summary.Modify > 0 {
		out = append(out, updates(d))
	}
	return out
}

func scalings(d *decision.Decision) []string {
	var out []string
	for _, a := range d.Actions {
		if a.Verb == decision.Scale {
			out = append(out, fmt.Sprintf("scale %s from %d to %d", a.Object, *a.From, *a.To))
		}
	}
	return out
}

// updates says what else is changed, when that is all.
func updates(d *decision.Decision) string {
	for _, a := range d.Actions {
		switch revision := a.Facts.Str(keyRevision); {
		case a.Verb != decision.Modify:
		case a.Object.Kind == d.Target.Kind:
			return "change itself: " + a.Message
		case d.Summary.Modify > 1: // several ReplicaSets
		case revision != "":
			return "make " + a.Object.String() + " revision " + revision
		default:
			return "update " + a.Object.String()
		}
	}
	return "update " + format.Plural(d.Summary.Modify, "ReplicaSet")
}
