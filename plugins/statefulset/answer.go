package statefulset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Answer says in one sentence what will happen; for a what-if, what would.
func Answer(d *decision.Decision) string {
	switch d.Gate.Rule {
	case InvalidSelector:
		return d.Target.String() + " is left alone: its selector is invalid."
	case ClaimRefused, RevisionFailed, StrategyOff:
		return fmt.Sprintf("%s can't be synced: %s.", d.Target, d.Gate.Message)
	case WritesNotRead:
		return fmt.Sprintf("%s waits: %s.", d.Target, d.Gate.Message)
	}
	failed := d.NextSync.Rule == RetryWithBackoff && d.Status.Rule != StatusBelowZero
	counts := counted(d)
	switch text, holds := predicate(d), holding(d); {
	case text != "" && d.Gate.Rule == SetDeleting:
		return fmt.Sprintf("%s is being deleted: the controller %s.", d.Target, text)
	case d.Gate.Rule == SetDeleting:
		return d.Target.String() + " is being deleted: its Pods are left to the garbage collector."
	case text != "" && failed:
		return fmt.Sprintf("%s %s, and then fails: %s.", d.Target, text, d.NextSync.Facts.Str(keyError))
	case text != "":
		return fmt.Sprintf("%s %s: %s%s%s.", d.Target, text, counts, doubted(d), claimsLater(d, "; deleted with Pods beyond the ordinals: ")+kept(d))
	case failed:
		return fmt.Sprintf("%s can't be synced: %s.", d.Target, d.NextSync.Facts.Str(keyError))
	case holds != "":
		return fmt.Sprintf("%s waits: %s%s%s.", d.Target, holds, deletedThen(d), updatedThen(d, "; then it updates ")+kept(d))
	}
	return fmt.Sprintf("%s has nothing to do: %s%s.", d.Target, counts, kept(d))
}

// doubted says that it is not known whether a Pod that is created is accepted.
func doubted(d *decision.Decision) string {
	for _, a := range d.Actions {
		if why := a.Facts.Str(keyDoubt); why != "" && a.Verb == decision.Create && a.Object.Kind == view.Pods.Kind {
			return "; " + decision.InBrief(why)
		}
	}
	return ""
}

// counted are the active Pods and the desired ones. Where those that are desired are not
// all there, it says how many are none of them.
func counted(d *decision.Decision) string {
	active, desired, beyond := d.Count.Of.Int(decision.KeyActive), d.Count.Of.Int(decision.KeySpecReplicas), int64(len(d.DeletionHeld))
	for _, a := range d.Actions {
		if a.Rule == DeleteBeyond {
			beyond++
		}
	}
	if beyond > 0 && active-beyond < desired {
		return fmt.Sprintf("%d active (%d beyond the ordinals), %d desired", active, beyond, desired)
	}
	return fmt.Sprintf("%d active, %d desired", active, desired)
}

// holding is what the sync waits for.
func holding(d *decision.Decision) string {
	for _, e := range d.Evidence {
		if slices.Contains(holds, e.Rule) {
			if e.Source.Kind == view.PersistentVolumeClaims.Kind {
				return e.Source.String() + ": " + e.Message
			}
			return e.Message
		}
	}
	return ""
}

// holds are the rules by which a sync waits for something.
var holds = []string{WaitReady, WaitAvailable, WaitGone, WaitGoneBefore, WaitBeforeDelete, WaitUpdated, UnavailableUsedUp, StaleClaim, ClaimBeingDeleted}

// kept says which Pods keep another revision as the spec says.
func kept(d *decision.Decision) string {
	for _, why := range d.Reasons {
		n, as := why.Facts.Int(keyPods), "they are"
		if n == 1 {
			as = "it is"
		}
		switch pods := format.Plural(n, "Pod"); why.Rule {
		case PartitionKeeps:
			return fmt.Sprintf("; partition %s keeps %s as %s", why.Facts.Str(keyPartition), pods, as)
		case OnDeleteKeeps:
			return fmt.Sprintf("; OnDelete keeps %s as %s", pods, as)
		}
	}
	return ""
}

// predicate says what is done, and what may be done.
func predicate(d *decision.Decision) string {
	var parts []string
	for _, one := range []struct {
		verb      string
		certainty decision.Certainty
	}{{format.Would(len(d.WhatIf) > 0), decision.Certain}, {"may", decision.Possible}} {
		if p := phrases(d, one.certainty); len(p) > 0 {
			parts = append(parts, one.verb+" "+strings.Join(p, ", "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " and ") + updatedThen(d, ", then update ")
}

// updatedThen names the Pods that later syncs update after this one, behind then.
func updatedThen(d *decision.Decision, then string) string {
	for _, why := range d.Reasons {
		if why.Rule == UpdateLater {
			return then + why.Facts.Str(keyNames)
		}
	}
	return ""
}

// later names what the next syncs delete after this one.
func later(d *decision.Decision) string {
	for _, e := range d.Evidence {
		if e.Rule == DeleteLater {
			return ", then " + e.Facts.Str(keyNext) + sum(d)
		}
	}
	return ""
}

// sum counts the Pods that are deleted one after the other, the first one included, where
// claims are deleted with those that come after it.
func sum(d *decision.Decision) string {
	if d.Later.ClaimsDeleted == 0 {
		return ""
	}
	return fmt.Sprintf(" (total %s, %s)", format.Plural(d.Later.PodsDeleted-d.Later.PodsRecreated+d.Summary.Delete(), view.Pods.Kind),
		format.Plural(d.Later.ClaimsDeleted+d.Summary.DeleteClaims, view.PersistentVolumeClaims.Kind))
}

// deletedThen names the Pods beyond the ordinals that are deleted after the wait, the
// highest ordinal first, where what holds does not name them, and counts their claims.
func deletedThen(d *decision.Decision) string {
	names := slices.SortedFunc(maps.Keys(d.DeletionHeld), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(b, a)) })
	named := slices.ContainsFunc(d.Evidence, func(e decision.Evidence) bool { return e.Rule == WaitBeforeDelete || e.Rule == WaitGoneBefore })
	switch n := len(names); {
	case named:
		return claimsLater(d, "; deleted with these: ")
	case n == 1:
		return "; " + names[0] + " is deleted afterwards" + claimsLater(d, ", with ")
	case n > 1:
		return fmt.Sprintf("; %s are deleted afterwards%s", format.Some(names[:min(n, most)], n), claimsLater(d, ", with "))
	}
	return ""
}

// claimsLater counts, behind lead, the claims that are deleted with Pods beyond the ordinals,
// where this sync deletes no Pod.
func claimsLater(d *decision.Decision, lead string) string {
	if d.Later.ClaimsDeleted == 0 || d.Summary.Delete() > 0 {
		return ""
	}
	return lead + format.Plural(d.Later.ClaimsDeleted, view.PersistentVolumeClaims.Kind)
}

// most is up to how many Pods are named.
const most = 3

// phrases lists what is done: Pods by name while they are few.
func phrases(d *decision.Decision, c decision.Certainty) []string {
	var out []string
	for _, of := range []struct {
		verb    decision.Verb
		kind    string
		updates bool
	}{
		{decision.Adopt, view.Pods.Kind, false}, {decision.Release, view.Pods.Kind, false},
		{decision.Create, view.Pods.Kind, false}, {decision.Delete, view.Pods.Kind, false}, {decision.Delete, view.Pods.Kind, true}, {decision.Modify, view.Pods.Kind, false},
		{decision.Create, view.PersistentVolumeClaims.Kind, false}, {decision.Modify, view.PersistentVolumeClaims.Kind, false},
		{decision.Adopt, view.ControllerRevisions.Kind, false}, {decision.Delete, view.ControllerRevisions.Kind, false},
	} {
		var names []string
		claims := 0
		for _, a := range d.Actions {
			if a.Verb == of.verb && a.Object.Kind == of.kind && a.Certainty == c && updates(a) == of.updates {
				names, claims = append(names, a.Object.Name), claims+len(a.Collects)
			}
		}
		who, with := format.Plural(len(names), of.kind), ""
		if of.kind == view.Pods.Kind && len(names) <= most {
			who = format.List(names)
		}
		switch n := len(names); {
		case n == 0:
			continue
		case of.updates && n == 1:
			with = " to update it"
		case of.updates:
			with = " to update them"
		case claims > 0:
			with = " with " + format.Plural(claims, view.PersistentVolumeClaims.Kind)
		}
		if of.verb == decision.Delete && of.kind == view.Pods.Kind && !of.updates && len(names) == 1 {
			with += later(d)
		}
		out = append(out, strings.ToLower(string(of.verb))+" "+who+with)
	}
	return out
}

// updates reports whether an action deletes a Pod for one of the update revision.
func updates(a decision.Action) bool {
	return a.Rule == DeleteForUpdate || a.Rule == DeleteBroken || a.Rule == DeleteForRecreate && !a.Surplus
}
