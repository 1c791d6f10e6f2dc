package replicaset

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// Answer says in one sentence what will happen; for a what-if, what would.
func Answer(d *decision.Decision) string {
	active, want := d.Count.Of.Int(decision.KeyActive), d.Count.Of.Int(decision.KeySpecReplicas)
	counts := fmt.Sprintf("%d active, %d desired", active, want)
	switch d.Gate.Rule {
	case InvalidSelector:
		return d.Target.String() + " is left alone: its selector is invalid, so the controller does nothing at all."
	case WritesNotRead:
		return fmt.Sprintf("%s waits: the controller has not read back its own last write of %s.", d.Target, d.Gate.Facts.Str(keyResources))
	case SetDeleting:
		return fmt.Sprintf("%s is being deleted: %s.", d.Target, sentence(d, "the controller", "leaves its %s to the garbage collector", format.Plural(active, "active Pod")))
	case GateClosed:
		return fmt.Sprintf("%s waits: %s, but the controller has not seen all of its last writes (%s, %s).",
			d.Target, counts, format.Plural(d.Gate.Facts.Int(keyAdds), "creation"), format.Plural(d.Gate.Facts.Int(keyDels), "deletion"))
	}
	if text := predicate(d); text != "" {
		return fmt.Sprintf("%s %s: %s%s.", d.Target, text, counts, afterthought(d))
	}
	if active != want {
		return fmt.Sprintf("%s is blocked: %s%s.", d.Target, counts, afterthought(d))
	}
	return fmt.Sprintf("%s has nothing to do: %s.", d.Target, counts)
}

func sentence(d *decision.Decision, who, otherwise string, args ...any) string {
	if p := predicate(d); p != "" {
		return who + " " + p
	}
	return fmt.Sprintf(who+" "+otherwise, args...)
}

// predicate says what is done, as "will adopt 1 pod, delete 2 pods", and what
// may be done.
func predicate(d *decision.Decision) string {
	will, may := phrases(d)
	verb := format.Would(len(d.WhatIf) > 0)
	if d.Doubted {
		verb = "may"
	}
	var parts []string
	if len(will) > 0 {
		parts = append(parts, verb+" "+strings.Join(will, ", "))
	}
	if len(may) > 0 {
		parts = append(parts, "may "+strings.Join(may, ", "))
	}
	return strings.Join(parts, " and ")
}

// phrases lists what is done, as "adopt 1 pod" and "delete 2 pods", and what
// is done only where another controller does not adopt an orphan first, or the
// API server accepts it.
func phrases(d *decision.Decision) (will, may []string) {
	add := func(to *[]string, verb string, n int, more string) {
		if n > 0 {
			*to = append(*to, verb+" "+strings.Replace(format.Plural(n, "Pod"), " ", more+" ", 1))
		}
	}
	adopts, deletes := conditional(d)
	add(&will, "adopt", d.Summary.Adopt-adopts, "")
	add(&will, "release", d.Summary.Release, "")
	add(&will, "create", d.Summary.Create-tried(d), "")
	add(&will, "delete", d.Summary.Delete()-deletes, "")
	more := ""
	if d.Summary.Delete() > deletes {
		more = " more"
	}
	add(&may, "adopt", adopts, "")
	add(&may, "create", tried(d), "")
	add(&may, "delete", deletes, more)
	return will, may
}

// picks says who chooses among several Pods.
func picks(d *decision.Decision) string {
	if why := d.Ranking.Undetermined; why != nil && (why.Rule == SiblingUnread || why.Facts.Str(keyExact) == "false") {
		return "it is not known which"
	}
	return "not deterministic:"
}

// tried counts creations of which it is not known whether they are accepted.
func tried(d *decision.Decision) int {
	n := 0
	for i := range d.Actions {
		if a := &d.Actions[i]; a.Verb == decision.Create && a.Certainty != decision.Certain {
			n += a.Count
		}
	}
	return n
}

// conditional counts adoptions that another controller may make first, and
// deletions that depend on them.
func conditional(d *decision.Decision) (adopts, deletes int) {
	for i := range d.Actions {
		switch a := &d.Actions[i]; {
		case a.Certainty == decision.Certain:
		case a.Verb == decision.Adopt:
			adopts++
		case a.Verb == decision.Delete && a.Choice == nil:
			deletes++
		}
	}
	for _, c := range d.Choices() {
		if c.AtMost {
			deletes += c.K
		}
	}
	return adopts, deletes
}

// afterthought adds what the counts alone would leave misleading.
func afterthought(d *decision.Decision) string {
	adopts, deletes := conditional(d)
	switch {
	case adopts == 1:
		return "; another controller may adopt it first" + behind(refusals(d))
	case adopts > 1:
		return "; another controller may adopt them first" + behind(refusals(d))
	}
	switch k, n := d.Summary.DeletePossible-deletes, d.Summary.PossibleAmong-deletes; {
	case k > 0 && d.Summary.DeleteCertain > 0:
		return fmt.Sprintf("; %d certain; %s %d of %d", d.Summary.DeleteCertain, picks(d), k, n)
	case k > 0:
		return fmt.Sprintf("; %s %d of %d", picks(d), k, n)
	}
	return behind(refusal(d))
}

func behind(text string) string {
	if text == "" {
		return ""
	}
	return "; " + text
}

// refusal says that creations are refused or may be, and by what.
func refusal(d *decision.Decision) string {
	for _, a := range d.Actions {
		switch a.Rule {
		case CreateAfterRefusal:
			return fmt.Sprintf("the last attempt was refused (%s), and this one may be", a.Facts.Str(keyRefusedBy))
		case CreateIfAdmitted:
			return decision.InBrief(a.Facts.Str(keyDoubts))
		}
	}
	return refusals(d)
}

func refusals(d *decision.Decision) string {
	are := " are refused"
	if doubtful(d) {
		are = " may be refused"
	}
	created := d.Count.Of.Int(decision.KeyCreations)
	switch refused := d.Count.Of.Int(decision.KeyRefused); {
	case refused > 0 && created > 0:
		return "then creations" + are + cause(d)
	case refused > 0:
		return "creations" + are + cause(d)
	}
	return ""
}

// doubtful reports whether it is not known what the API server accepts.
func doubtful(d *decision.Decision) bool { return d.Doubted || d.Count.Of.Str(keyDoubts) != "" }

// cause names what refuses creations, where that can be seen.
func cause(d *decision.Decision) string {
	for _, e := range d.Evidence {
		switch e.Rule {
		case QuotaShortfall:
			return fmt.Sprintf(" by resource quota %s (%s: %s of %s used)", e.Source.Name, e.Facts.Str(keyResource), e.Facts.Str(keyUsed), e.Facts.Str(keyHard))
		case QuotaDemandsRequest, QuotaNotCounted:
			return fmt.Sprintf(" by resource quota %s (%s)", e.Source.Name, strings.TrimPrefix(e.Facts.Str(keyMessage), "failed quota: "+e.Source.Name+": "))
		case LimitRangeForbids:
			return fmt.Sprintf(" by limit range %s (%s)", e.Source.Name, e.Facts.Str(keyMessage))
		case PodInvalid:
			return fmt.Sprintf(" as invalid (%s)", e.Facts.Str(keyMessage))
		case NamespaceTerminating:
			return ": the namespace is being deleted"
		}
	}
	return ""
}
