package replicaset

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
)

// Answer says in one sentence what will happen; for a what-if, what would. A
// second one says that no manager does it, where that is so.
func Answer(d *decision.Decision) string { return next(d) + lease.Nobody(d) }

func next(d *decision.Decision) string {
	active, want := d.Count.Of.Int("active"), d.Count.Of.Int("spec.replicas")
	counts := fmt.Sprintf("%d active, %d wanted", active, want)
	switch d.Gate.Rule {
	case InvalidSelector:
		return d.Target.String() + " is left alone: its selector is invalid, so the controller does nothing at all."
	case WritesNotRead:
		return fmt.Sprintf("%s waits: the controller has not read back its own last write of %s.", d.Target, d.Gate.Facts.Str("resources"))
	case SetDeleting:
		return fmt.Sprintf("%s is being deleted: %s.", d.Target, sentence(d, "the controller", "leaves its %s to the garbage collector", wording.Plural(active, "active pod")))
	case GateClosed:
		return fmt.Sprintf("%s waits: %s, but the controller has not seen all of its last writes (%s, %s).",
			d.Target, counts, wording.Plural(d.Gate.Facts.Int("adds"), "creation"), wording.Plural(d.Gate.Facts.Int("dels"), "deletion"))
	}
	if phrases := phrases(d); len(phrases) > 0 {
		return fmt.Sprintf("%s %s %s: %s%s.", d.Target, wording.Would(len(d.WhatIf) > 0), strings.Join(phrases, ", "), counts, afterthought(d))
	}
	if active != want {
		return fmt.Sprintf("%s can't move: %s%s.", d.Target, counts, afterthought(d))
	}
	return fmt.Sprintf("%s is in step: %s; nothing to do.", d.Target, counts)
}

func sentence(d *decision.Decision, who, otherwise string, args ...any) string {
	if p := phrases(d); len(p) > 0 {
		return fmt.Sprintf("%s %s %s", who, wording.Would(len(d.WhatIf) > 0), strings.Join(p, ", "))
	}
	return fmt.Sprintf(who+" "+otherwise, args...)
}

// phrases lists what is done, as "adopt 1 pod, delete 2 pods".
func phrases(d *decision.Decision) []string {
	var out []string
	add := func(verb string, n int) {
		if n > 0 {
			out = append(out, verb+" "+wording.Plural(n, "pod"))
		}
	}
	add("adopt", d.Summary.Adopt)
	add("release", d.Summary.Release)
	add("create", d.Summary.Create)
	add("delete", d.Summary.Delete())
	return out
}

// afterthought adds what the counts alone would leave misleading.
func afterthought(d *decision.Decision) string {
	switch s := d.Summary; {
	case s.DeletePossible > 0 && s.DeleteCertain > 0:
		return fmt.Sprintf("; %d certain, for the rest chance picks %d of %d", s.DeleteCertain, s.DeletePossible, s.PossibleAmong)
	case s.DeletePossible > 0:
		return fmt.Sprintf("; chance picks %d of %d", s.DeletePossible, s.PossibleAmong)
	}
	for _, a := range d.Actions {
		if a.Rule == CreateAfterRefusal {
			return "; the last attempt was refused, and this one may be"
		}
	}
	created := d.Count.Of.Int("creations")
	switch refused := d.Count.Of.Int("refused"); {
	case refused > 0 && created > 0:
		return "; then creations are refused" + cause(d)
	case refused > 0:
		return "; creations are refused" + cause(d)
	}
	return ""
}

// cause names what refuses creations, where that can be seen.
func cause(d *decision.Decision) string {
	for _, e := range d.Evidence {
		switch e.Rule {
		case QuotaShortfall:
			return fmt.Sprintf(" by resource quota %s (%s: %s of %s used)", e.Source.Name, e.Facts.Str("resource"), e.Facts.Str("used"), e.Facts.Str("hard"))
		case NamespaceTerminating:
			return ": the namespace is being deleted"
		}
	}
	return ""
}
