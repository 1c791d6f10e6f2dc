package answer

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// predicate says what is done, as "will create 1 pod, update 2 pods in place",
// and what may be done.
func predicate(d *decision.Decision) string {
	will, may := Phrases(d)
	var parts []string
	if len(will) > 0 {
		parts = append(parts, format.Would(len(d.WhatIf) > 0)+" "+strings.Join(will, ", "))
	}
	if len(may) > 0 {
		parts = append(parts, "may "+strings.Join(may, ", "))
	}
	return strings.Join(parts, " and ")
}

// phrase is what is done to n objects of a kind, as "update 2 pods in place".
type phrase struct {
	verb decision.Verb
	kind string
	n    int
	// deed is the verb in words, atMost and how what follows it and the objects.
	deed, atMost, how string
	// only says which actions of the verb are meant; nil for all.
	only func(*decision.Action) bool
}

// Phrases lists what is done, as "create 1 pod", and what is done only where
// another controller does not adopt a Pod first, or the API server accepts it.
func Phrases(d *decision.Decision) (will, may []string) {
	mixed, either := eithers(d)
	keeps := d.KeepsMarked()
	for _, p := range podPhrases(d, keeps) {
		p.n -= mixed[p.verb]
		p.addTo(d, &will, &may)
	}
	if d.Contested() {
		may = append(may, either...)
	} else {
		will = append(will, either...)
	}
	for _, p := range otherPhrases(d, keeps) {
		p.addTo(d, &will, &may)
	}
	return will, may
}

func podPhrases(d *decision.Decision, keeps bool) []phrase {
	sum, kind := d.Summary, view.Pods.Kind
	out := []phrase{
		{verb: decision.Adopt, kind: kind, n: sum.Adopt, deed: "adopt"},
		{verb: decision.Release, kind: kind, n: sum.Release, deed: "release"},
		{verb: decision.Create, kind: kind, n: sum.Create, deed: "create"},
		{verb: decision.Delete, kind: kind, n: sum.Delete()},
		{verb: decision.UpdateInPlace, kind: kind, n: sum.Update},
		{verb: decision.Recreate, kind: kind, n: sum.Recreate},
	}
	for i := range out {
		if of, ok := deeds[out[i].verb]; ok {
			out[i].deed, out[i].atMost, out[i].how = of.verb, unlessFewer(d, out[i].verb), of.how
		}
		if out[i].verb == decision.Recreate && keeps {
			out[i].deed, out[i].how = "mark", " for deletion"
		}
	}
	return append(out, statePhrases(d)...)
}

func otherPhrases(d *decision.Decision, keeps bool) []phrase {
	volumes, revisions := view.PersistentVolumeClaims.Kind, view.ControllerRevisions.Kind
	least, most := d.ClaimsDeleted()
	if keeps {
		most = d.Acts(decision.Delete, volumes)
	}
	return []phrase{
		{verb: decision.SetCondition, kind: view.Pods.Kind, n: d.Acts(decision.SetCondition, view.Pods.Kind), deed: "open the readiness gate of"},
		{verb: decision.Delete, kind: volumes, n: most, deed: "delete", atMost: fewer(least < most)},
		{verb: decision.Detach, kind: volumes, n: d.Acts(decision.Detach, volumes), deed: "hand over"},
		{verb: decision.Delete, kind: revisions, n: d.Acts(decision.Delete, revisions), deed: "delete"},
	}
}

// nouns are the kinds in the first line.
var nouns = map[string]string{
	view.Pods.Kind: "Pod", view.PersistentVolumeClaims.Kind: "volume claim", view.ControllerRevisions.Kind: "old revision",
}

// addTo adds the phrase to what is done, and to what may be done.
func (p phrase) addTo(d *decision.Decision, will, may *[]string) {
	perhaps := p.possibly(d)
	if p.atMost != "" && d.Contested() {
		perhaps, p.atMost = p.n-p.certainly(d), ""
	}
	noun := nouns[p.kind]
	if n := p.n - perhaps; n > 0 {
		*will = append(*will, p.deed+p.atMost+" "+format.Plural(n, noun)+p.how)
		noun = "more " + noun
	}
	if perhaps > 0 {
		*may = append(*may, p.deed+" "+format.Plural(perhaps, noun)+p.how)
	}
}

// possibly counts the objects to which it is done only where an adoption is not
// lost, or a creation accepted. A choice is not among them: it is done to k of n.
func (p phrase) possibly(d *decision.Decision) int {
	n := 0
	for i := range d.Actions {
		a := &d.Actions[i]
		if _, shared := a.Pool(); !shared && p.means(a) && a.Certainty == decision.Possible {
			n += a.Count
		}
	}
	return n
}

// certainly counts the objects to which it is done for certain.
func (p phrase) certainly(d *decision.Decision) int {
	n := 0
	for i := range d.Actions {
		if a := &d.Actions[i]; p.means(a) && a.Certainty == decision.Certain {
			n += a.Count
		}
	}
	return n
}

func (p phrase) means(a *decision.Action) bool {
	return a.Verb == p.verb && a.Object.Kind == p.kind && (p.only == nil || p.only(a))
}
