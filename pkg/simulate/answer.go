package simulate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// answerOf says in one sentence what happens and how it ends. None takes the place of so
// many of the Pods that are deleted.
func answerOf(target decision.Ref, t *decision.Timeline, shed int) string {
	what := phrases(t.Totals, t.Counts.Pods, shed)
	if len(what) == 0 && len(t.Rounds) == 0 {
		return fmt.Sprintf("%s would do nothing; %s.", target, idleEnding(t))
	}
	text, none := target.String()+" would ", len(what) == 0
	if what = append(what, dropped(t)...); none {
		what = append(append(what, added(t)...), without(t))
	}
	text += strings.Join(what, ", ")
	if t.Totals.Rounds > 0 {
		text += " in " + format.Plural(t.Totals.Rounds, "round")
	}
	if took := t.End.Clock.Elapsed(); took != "0s" {
		text += " (about " + took + ")"
	}
	switch {
	case t.Overdue == nil:
	case t.Overdue.Clock == 0:
		text += ", with the progress deadline exceeded from the start"
	default:
		text += ", exceed the progress deadline " + t.Overdue.When()
	}
	switch when := condition(t); {
	case t.End.Outcome != decision.Stable: // what follows the condition, follows the end's own cause as well
		text += when + ending(t, ", then ", "; ", "")
	case because(t) != "":
		text += ending(t, ", then ", "; ", when)
	default:
		text += ending(t, ", then ", "; ", "") + when
	}
	if t.Uneven {
		text += "; one of several possible outcomes"
	}
	return text + "."
}

// condition is what an end depends on that may not happen.
func condition(t *decision.Timeline) string {
	text := admitted(t)
	if text != "" || t.End.Outcome != decision.Stable && t.End.Rule != EndRescaled {
		return text
	}
	for _, n := range t.Notes {
		switch {
		case n.Rule == cluster.VolumesShared:
			return " if new Pods get the node of the Pod that uses PVC " + n.Facts.Str(keyReason)
		case assumesNodes(n):
			text = " if each new Pod gets a node"
		}
	}
	return text
}

// assumesNodes reports whether a note says that new Pods get nodes, though no Pod shows that
// one fits them.
func assumesNodes(n decision.Ruling) bool {
	return n.Rule == NamesMadeUp && n.Facts.Str(keyNodes) != ""
}

// admitted is what an end depends on that the API server or a choice decides.
func admitted(t *decision.Timeline) string {
	for _, n := range t.Notes {
		if n.Rule == CreationsAccepted {
			switch why := n.Facts.Str(decision.KeyRefused); {
			case t.Totals.Create == 0: // none is, and how it ends says why
				return ""
			case why != "" && !strings.Contains(because(t), why):
				return " if new Pods are admitted; so far: " + why
			}
			return " if new Pods are admitted"
		}
		if n.Rule == RetriedAtOnce {
			return " if creations are tried again at once; " + n.Facts.Str(decision.KeyRefused)
		}
		if n.Rule == TakenToHappen {
			return fmt.Sprintf(" if the possible actions of round %d happen", n.Facts.Int(keyRound))
		}
	}
	for _, r := range t.Rounds {
		if slices.ContainsFunc(r.Actions, mayBeRefused) {
			return " if new Pods are admitted"
		}
	}
	return ""
}

// mayBeRefused reports whether an action is a creation that the API server may not accept.
func mayBeRefused(a decision.Action) bool {
	return a.Verb == decision.Create && a.Certainty == decision.Possible && a.Choice == nil && a.Object.Kind == "Pod"
}

// costOf says what the timeline means for availability, and what it leaves alone.
func costOf(t *decision.Timeline) string {
	return strings.TrimSpace(availability(t) + spared(t.Totals))
}

// phrases lists what is done in all rounds together; none takes the place of so many
// of the Pods that are deleted.
func phrases(t decision.Totals, there, shed int) []string {
	var out []string
	add := func(verb string, n int, how string) {
		if n > 0 {
			out = append(out, verb+" "+format.Plural(n, "Pod")+how)
		}
	}
	add("adopt", t.Adopt, "")
	add("release", t.Release, "")
	of := func(verb string, n int, how string) {
		if n > 0 && n <= there {
			out = append(out, fmt.Sprintf("%s %d of %s%s", verb, n, format.Plural(there, "Pod"), how))
			return
		}
		add(verb, n, how)
	}
	of("update", t.Update, " in place")
	of("recreate", t.Recreate, "")
	switch {
	case t.Marked == 0:
	case t.Recreate > 0:
		out = append(out, fmt.Sprintf("mark %d more for recreation", t.Marked))
	default:
		out = append(out, fmt.Sprintf("mark %s for recreation", format.Plural(t.Marked, "Pod")))
	}
	created, deleted := t.Create-min(t.Create, t.Recreate), t.Delete-min(t.Delete, t.Recreate)
	if replaced := min(created, deleted-shed); replaced > 0 && t.Recreate == 0 {
		add("replace", replaced, "")
		add("create", created-replaced, " more")
		add("delete", deleted-replaced, " more")
	} else {
		add("create", created, more(t, t.Create))
		add("delete", deleted, more(t, t.Delete))
	}
	if t.DeleteClaims > 0 {
		out = append(out, "delete "+format.Plural(t.DeleteClaims, "volume claim"))
	}
	return out
}

// dropped lists what is deleted besides Pods and their volume claims, such as revisions
// beyond the history limit.
func dropped(t *decision.Timeline) []string {
	n, kinds := map[string]int{}, []string(nil)
	for _, r := range t.Rounds {
		for _, a := range r.Actions {
			kind := a.Object.Kind
			if !a.DropsRevision() {
				continue
			}
			if n[kind]++; n[kind] == 1 {
				kinds = append(kinds, kind)
			}
		}
	}
	for i, kind := range kinds {
		kinds[i] = "delete " + format.Plural(n[kind], kind)
	}
	return kinds
}

// added lists what is created besides Pods, such as the ReplicaSet of a template.
func added(t *decision.Timeline) (all []string) {
	for _, r := range t.Rounds {
		for i := range r.Actions {
			if a := &r.Actions[i]; a.Verb == decision.Create && a.Object.Kind != "Pod" {
				all = append(all, "create "+a.Object.String())
			}
		}
	}
	return all
}

// more: those that stand for a recreation are not said twice.
func more(t decision.Totals, n int) string {
	if t.Recreate > 0 && n > t.Recreate {
		return " more"
	}
	return ""
}

// ending is how it ends; then leads in an end that is reached, but one that is
// not. When is what the end depends on, where why it ends follows.
func ending(t *decision.Timeline, then, but, when string) string {
	why := because(t)
	switch t.End.Outcome {
	case decision.Blocked:
		if t.End.Rule != EndBlocked {
			return but + t.End.Message + pending(t)
		}
		return but + "then it is blocked: " + why + pending(t)
	case decision.Unfinished:
		if t.End.Rule == EndRescaled {
			return then + "hold" + rescaled(&t.End)
		}
		return but + t.End.Message + cause(t)
	case decision.Stable:
		if why != "" {
			return then + "be stable" + when + ": " + why
		}
	}
	return then + "be " + t.End.Message
}

// rescaling is within which time an autoscaler looks at its target again
// (--horizontal-pod-autoscaler-sync-period).
const rescaling = 15 * time.Second

// rescaled is how things stand at the end, and what an autoscaler changes: when that is
// reached, or before.
func rescaled(e *decision.End) string {
	if time.Duration(e.Clock) > rescaling {
		return fmt.Sprintf(": %s; %s, which may come first", e.Facts.Str(keyReason), e.Facts.Str(keyChange))
	}
	return " " + until(e.Facts)
}

// until is what an autoscaler ends, and how things stand then.
func until(fs decision.Facts) string { return "until " + fs.Str(keyChange) + ": " + fs.Str(keyReason) }

// without says what is done where no Pod is created, deleted or updated.
func without(t *decision.Timeline) string {
	said := "change no Pod"
	for _, r := range t.Rounds {
		for i := range r.Actions {
			a := &r.Actions[i]
			switch {
			case a.Object.Kind != "Pod":
			case a.Verb == decision.UpdateInPlace:
				return "only finish updates in place that have begun"
			case a.Verb != decision.SetState || a.Marks:
				said = onlyMetadata
			case said != onlyMetadata:
				said = "change no more than the lifecycle state of Pods"
			}
		}
	}
	return said
}

const onlyMetadata = "change no more than metadata and conditions of Pods"

// idleEnding is how it ends where nothing was done.
func idleEnding(t *decision.Timeline) string {
	switch why := because(t); {
	case t.End.Rule == EndBeyond:
		return t.End.Message + cause(t)
	case t.End.Rule == EndRescaled:
		return "it " + t.End.Message
	case why == "" || t.End.Rule != EndBlocked && t.End.Rule != EndHeld:
		return t.End.Message + pending(t)
	case t.End.Outcome == decision.Stable:
		return "stable: " + why
	default:
		return "it is blocked: " + why + pending(t)
	}
}

// pending says of a blocked end which Pods wait for a node.
func pending(t *decision.Timeline) string {
	if n := len(t.End.Why); n > 0 && t.End.Why[n-1].Rule == EndNodeless {
		return "; " + t.End.Why[n-1].Message
	}
	return ""
}

// cause is what stands in the way of a target whose end is not known.
func cause(t *decision.Timeline) string {
	if why := because(t); why != "" && t.End.Rule == EndBeyond {
		return ": " + why
	}
	return ""
}

func because(t *decision.Timeline) string {
	if len(t.End.Why) == 0 {
		return ""
	}
	return t.End.Why[0].Message
}

// availability is said where pods go or are updated; a target that only grows
// lacks what it did not have before.
func availability(t *decision.Timeline) string {
	if t.Totals.Delete+t.Totals.Update+t.Totals.Recreate+t.Totals.Marked+t.Totals.Release == 0 || t.End.Counts.Wanted == 0 {
		return ""
	}
	goesOn := t.End.Outcome == decision.Blocked || t.End.Outcome == decision.Unfinished // what follows is not known
	if t.Peak.Unavailable == 0 {
		if goesOn {
			return " No desired Pod is unavailable until then."
		}
		return " No desired Pod is unavailable at any time."
	}
	are := "are"
	if t.Peak.Unavailable == 1 {
		are = "is"
	}
	if later := t.Peak.Later; later < t.Peak.Unavailable {
		most := "none"
		if later > 0 {
			most = fmt.Sprintf("at most %d", later)
		}
		return fmt.Sprintf(" %d of %d desired Pods %s unavailable before the first round, %s after it.", t.Peak.Unavailable, t.End.Counts.Wanted, are, most)
	}
	while := "at a time"
	if goesOn {
		while = "at a time until then"
	}
	return fmt.Sprintf(" At most %d of %d desired Pods %s unavailable %s.", t.Peak.Unavailable, t.End.Counts.Wanted, are, while)
}

// spared says what a rollout leaves alone.
func spared(t decision.Totals) string {
	if t.Update > 0 && t.Recreate+t.Marked+t.Delete+t.DeleteClaims == 0 {
		return " Nothing is recreated; no volume is deleted."
	}
	return ""
}
