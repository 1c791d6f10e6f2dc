package answer

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Of says in one sentence what will happen; for a what-if, what would.
func Of(d *decision.Decision) string {
	switch d.Gate.Rule {
	case rules.InvalidSelector:
		return d.Target.String() + " is left alone: its selector is invalid, so the controller does nothing at all."
	case rules.ScaleExpected, rules.ScaleExpectedForever, rules.ScaleExpectationDropped, rules.VersionExpected, rules.VersionExpectedForever:
		return fmt.Sprintf("%s does nothing: its gate is %s.", d.Target, d.Gate.Message)
	case rules.RollbackPanics:
		return fmt.Sprintf("%s is blocked: %s.", d.Target, d.Gate.Message)
	case rules.ClaimRefused:
		return fmt.Sprintf("%s is blocked: %s.", d.Target, d.Gate.Message)
	case rules.CloneSetDeleting:
		return fmt.Sprintf("%s is being deleted: %s left to the garbage collector.", d.Target, rules.AreOrIs(d.Count.Of.Int(decision.KeyActive), "active Pod"))
	}
	tail := counts(d) + afterthought(d) + withheld(d)
	if text := predicate(d); text != "" {
		return fmt.Sprintf("%s %s: %s.", d.Target, text, tail)
	}
	if why := Stuck(d); why != "" {
		nothing := "does nothing"
		switch {
		case d.Doubted:
			nothing = "may do nothing"
		case len(d.WhatIf) > 0:
			nothing = "would do nothing"
		}
		return fmt.Sprintf("%s %s: %s; %s.", d.Target, nothing, tail, why)
	}
	if d.Withholds() {
		return fmt.Sprintf("%s would update no Pod: %s.", d.Target, tail)
	}
	return fmt.Sprintf("%s has nothing to do: %s.", d.Target, tail)
}

// withheld says which Pods the partition keeps from the change of a plan.
func withheld(d *decision.Decision) string {
	if !d.Withholds() {
		return ""
	}
	names := keptNames(d)
	if len(names) < d.Rollout.Kept {
		names = nil
	}
	return "; " + Kept(d, names)
}

// Kept says of how many Pods the partition keeps the revisions, one at least, their names where
// they are given, and what to set so that it does not.
func Kept(d *decision.Decision, names []string) string {
	r := d.Rollout
	on := "their revisions"
	if r.KeptOn != "" {
		on = "revision " + kruise.ShortHash(r.KeptOn)
	}
	verb := "stay"
	if r.Kept == 1 {
		verb = "stays"
	}
	out := fmt.Sprintf("%s %s on %s by partition %d of %d", format.Plural(r.Kept, "Pod"), verb, on, r.Partition, d.Count.Of.Int(decision.KeySpecReplicas))
	if len(names) > 0 {
		out += " (" + format.List(names) + ")"
	}
	if len(d.Actions) == 0 && !r.Paused {
		out += ": to update " + them(r.Kept) + ", set --partition 0"
	}
	return out
}

// mostKept is how many Pods are named that the partition keeps.
const mostKept = 3

// keptNames are Pods that the partition keeps for certain, a few of them.
func keptNames(d *decision.Decision) (names []string) {
	for i := range d.Updates {
		if u := &d.Updates[i]; u.State == decision.Kept && u.Certainty == decision.Certain && len(names) < mostKept {
			names = append(names, u.Object.Name)
		}
	}
	return names
}

// counts are pods and updated pods, each with how many are wanted.
func counts(d *decision.Decision) string {
	of := d.Count.Of
	active, replicas := of.Int(decision.KeyActive), of.Int(decision.KeySpecReplicas)
	pods := fmt.Sprintf("%d of %d Pods", active, replicas)
	if active > replicas {
		pods = fmt.Sprintf("%s, %d desired", format.Plural(active, "Pod"), replicas)
	}
	if d.Rollout.Doubted {
		return pods + ", updated not known"
	}
	updated, desired := of.Int(rules.KeyUpdated), of.Int(rules.KeyUpdatedWanted)
	switch {
	case active > replicas && updated == active && desired == replicas:
		return pods + ", all updated"
	case updated > desired: // of surplus Pods, or by a raised partition
		return fmt.Sprintf("%s, %d updated (%d desired)", pods, updated, desired)
	}
	return fmt.Sprintf("%s, %d of %d updated", pods, updated, desired)
}

// afterthought adds what the counts alone would leave misleading.
func afterthought(d *decision.Decision) string {
	out := adoptedFirst(d) + refusals(d)
	if n := d.Later.PodsCreated; n > 0 {
		out += fmt.Sprintf("; later syncs create %d more, as scaleStrategy.maxUnavailable allows", n)
	}
	if n := d.Later.PodsDeleted; n > 0 {
		out += fmt.Sprintf("; later syncs delete %d more", n)
	}
	out += hanging(d) + onward(d)
	switch possible := d.PossibleDeletions(); {
	case possible == "":
	case d.Summary.DeleteCertain > 0:
		out += fmt.Sprintf("; %d certain, %s", d.Summary.DeleteCertain, possible)
	default:
		out += "; " + possible
	}
	if f := ForbiddenByBudget(d); len(f) > 0 && d.Pending {
		which := "deletions"
		if d.Summary.Delete() > 0 {
			which = "further ones"
		}
		out += "; PodUnavailableBudget " + f[0].Facts.Str(rules.KeyBudget) + " forbids " + which + ", and the sync fails"
	}
	if f := found(d, rules.BudgetKeepsMarked); len(f) > 0 {
		out += "; PodUnavailableBudget " + f[0].Facts.Str(rules.KeyBudget) + " forbids deletions"
	}
	return out
}

// hanging counts the Pods of a scale-in that are deleted only after those that the preDelete hook
// holds, or once it releases them.
func hanging(d *decision.Decision) string {
	n := d.Hanging.PodsDeleted - d.Hanging.PodsRecreated
	for _, h := range d.Hooked {
		if h.Hook == kruise.PreDeleteHook {
			n--
		}
	}
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("; %d more may be deleted once the preDelete hook releases Pods", n)
}

// onward says how the rollout goes on after a sync that scales, or does something else.
func onward(d *decision.Decision) string {
	for _, u := range d.Updates {
		switch {
		case u.Rule == rules.ScaledInstead:
			return "; the rollout follows"
		case len(d.Actions) == 0: // what keeps the sync from anything is said anyway
		case u.Rule == rules.UpdatePaused:
			return "; the rollout is paused"
		case u.Rule == rules.OnDeleteIgnored:
			return "; with type OnDelete, Pods are updated when they are deleted"
		}
	}
	return ""
}

// refusals says that not all creations are accepted.
func refusals(d *decision.Decision) string {
	refused, are := d.Count.Of.Int(decision.KeyRefused), "are"
	for _, a := range d.Actions {
		if a.Rule == rules.CreationInDoubt {
			return "; " + decision.InBrief(a.Facts.Str(rules.KeyDoubts))
		}
		if a.Rule == rules.CreateFailed && a.Certainty == decision.Possible {
			are = "may be"
		}
	}
	switch {
	case refused == 0 || !d.Pending:
		return ""
	case d.Doubted:
		are = "may be"
	}
	why := d.Count.Of.Str(rules.KeyError)
	if d.Summary.Create > 0 {
		return "; then creations " + are + " refused: " + why
	}
	return "; creations " + are + " refused: " + why
}

func adoptedFirst(d *decision.Decision) string {
	switch n := (phrase{verb: decision.Adopt, kind: view.Pods.Kind}).possibly(d); {
	case n == 1:
		return "; another controller may adopt it first"
	case n > 1:
		return "; another controller may adopt them first"
	}
	return ""
}

// ForbiddenByBudget returns what a budget says that lets no pod be deleted, or no more.
func ForbiddenByBudget(d *decision.Decision) []decision.Ruling {
	return found(d, rules.BudgetForbids)
}

// found is what a rule says of the surroundings.
func found(d *decision.Decision, rule string) []decision.Ruling {
	var out []decision.Ruling
	for _, e := range d.Evidence {
		if e.Rule == rule {
			out = append(out, e.Ruling)
		}
	}
	return out
}

// Stuck says why nothing is done although something is left to do.
func Stuck(d *decision.Decision) string {
	if f := ForbiddenByBudget(d); len(f) > 0 {
		return "the sync fails: " + f[0].Message
	}
	if d.Status.Rule == rules.StatusError || d.Status.Rule == rules.StatusErrorUnwritten {
		fails := "fails"
		if d.Doubted {
			fails = "may fail"
		}
		return "the sync " + fails + ": " + d.Status.Facts.Str(rules.KeyError)
	}
	for _, l := range d.Limits {
		if HoldsUp[l.Rule] {
			return l.Message
		}
	}
	behind := d.Rollout.Outdated()
	for _, u := range d.Updates {
		if u.Rule == rules.UpdatePaused && behind {
			return u.Message
		}
		if u.Rule == rules.ScaledInstead {
			return "" // the sync scales, so that it is not stuck
		}
		waits := u.State == decision.Waiting && len(d.Actions) == 0 // else, for its turn
		if u.Rule == rules.UpdateInProgress || behind && (waits || u.State == decision.Refused) {
			return u.Object.Name + ": " + u.Message
		}
	}
	return ""
}

// HoldsUp are the limits that leave something undone.
var HoldsUp = map[string]bool{
	rules.ScaleUpLimited: true, rules.PreDeleteHeld: true, rules.DeleteReadyLimited: true, rules.ScaleInSuspended: true, rules.ScaleInLimited: true,
	rules.PreNormalHeld: true, rules.UpdatedHeld: true, rules.CompletionUnknown: true, rules.HistoryPanics: true,
}
