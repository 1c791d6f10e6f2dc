package deployment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
)

// Answer says in one sentence what will happen; for a what-if, what would.
func Answer(d *decision.Decision) string {
	switch d.Gate.Rule {
	case SelectsAll:
		return d.Target.String() + " is left alone: its selector is empty."
	case InvalidSelector, StrategyUnknown, ClaimRefused:
		return fmt.Sprintf("%s can't be synced: %s.", d.Target, d.Gate.Message)
	}
	if p := predicate(d); p != "" {
		return fmt.Sprintf("%s %s%s.", d.Target, p, because(d))
	}
	if text := afterStatus(d); text != "" {
		return text
	}
	if text := below(d); text != "" {
		return fmt.Sprintf("%s has nothing to scale; %s.", d.Target, text)
	}
	if d.Gate.Rule == DeploymentDeleting {
		return d.Target.String() + " is being deleted: its ReplicaSets are left to the garbage collector."
	}
	if holds := holding(d); holds != "" {
		return fmt.Sprintf("%s waits: %s.", d.Target, holds)
	}
	if failed(d) {
		reason := d.NextSync.Facts.Str(keyError)
		return fmt.Sprintf("%s %s: %s.", d.Target, stuck(d), reason)
	}
	return d.Target.String() + " " + atRest(d)
}

func stuck(d *decision.Decision) string {
	if slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool { return c.Code == admission.InDoubt }) {
		return "may be blocked"
	}
	return "is blocked"
}

// because adds which way the sync goes where that is not a plain rollout, and
// what it waits for besides.
func because(d *decision.Decision) string {
	if d.Contested() {
		return "; another controller may adopt first"
	}
	switch d.Gate.Rule {
	case DeploymentPaused:
		text := "; it is paused"
		if pods := ofPods(d); pods != "" {
			text = ", which " + pods + text
		}
		return text + refused(d, false)
	case DeploymentDeleting:
		return "; it is being deleted"
	}
	text := ""
	if pods := ofPods(d); pods != "" {
		text = ", which " + pods
	} else if d.Gate.Rule == ScalingEvent && len(d.WhatIf) == 0 {
		text = fmt.Sprintf(": it was scaled from %d to %d", d.Gate.Facts.Int(keyWas), d.Gate.Facts.Int(decision.KeyDesired))
	}
	if why := refused(d, false); why != "" {
		return text + why
	}
	if slices.ContainsFunc(d.Evidence, func(e decision.Evidence) bool { return e.Rule == RolloutAfterScale }) {
		return text + "; the rollout follows"
	}
	return text + afterwards(d)
}

// afterwards is what the rollout does after this sync and what follows from it, empty where
// it is over then.
func afterwards(d *decision.Decision) string {
	old, created := 0, int(d.Count.Of.Int(decision.KeyDesired))
	for _, set := range d.Sets {
		sizes := d.Sizes(set)
		switch last := int(sizes[len(sizes)-1]); {
		case set.Role == decision.New:
			created -= last
		case !set.Deleting: // else its controller deletes no Pod
			old += last
		}
	}
	for _, e := range d.Evidence {
		if e.Rule == PodsRefused {
			return fmt.Sprintf("; later creations are refused by %s: %s", e.Source, e.Facts.Str(keyMessage))
		}
	}
	switch {
	case old == 0 && created > 0:
		return fmt.Sprintf("; later syncs scale the new ReplicaSet up by %d", created)
	case old > 0 && created > 0:
		return fmt.Sprintf("; later syncs replace %s as new ones become available", format.Plural(old, "old Pod"))
	case old > 0:
		return fmt.Sprintf("; later syncs delete %s as new ones become available", format.Plural(old, "old Pod"))
	}
	return ""
}

// afterStatus is what the sync does that follows one which only writes status, empty where
// that is nothing.
func afterStatus(d *decision.Decision) string {
	for _, e := range d.Follows {
		if e.Due && e.Cause == d.Target {
			return strings.TrimSuffix(e.Answer, ".") + ", in the sync after one that only writes status."
		}
	}
	return ""
}

// refused says that the creation of Pods by ReplicaSets is refused or may be, and by what:
// of those that the sync changes, or of those that have something to do anyway.
func refused(d *decision.Decision, due bool) string {
	for _, e := range d.Follows {
		if e.Due == due && e.Cause.Kind != d.Target.Kind && e.Refusal != "" {
			return "; " + e.Refusal
		}
	}
	return ""
}

// below is what ReplicaSets do that the sync does not change, empty for nothing.
func below(d *decision.Decision) string {
	var n decision.Summary
	who, verb := "", format.Would(len(d.WhatIf) > 0)
	for _, e := range d.Follows {
		if !e.Due || e.Cause == d.Target {
			continue
		}
		n.Adopt, n.Release, n.Create, n.DeleteCertain = n.Adopt+e.Summary.Adopt, n.Release+e.Summary.Release, n.Create+e.Summary.Create, n.DeleteCertain+e.Summary.Delete()
		if who == "" {
			who = e.Cause.String()
		} else {
			who = "its ReplicaSets"
		}
		if slices.ContainsFunc(e.Actions, func(a decision.Action) bool {
			return a.Certainty != decision.Certain && (a.Choice == nil || a.Verb == decision.Adopt)
		}) {
			verb = "may"
		}
	}
	var parts []string
	for _, of := range []struct {
		verb string
		n    int
	}{{"adopt", n.Adopt}, {"release", n.Release}, {"create", n.Create}, {"delete", n.DeleteCertain}} {
		if of.n > 0 {
			parts = append(parts, of.verb+" "+format.Plural(of.n, "Pod"))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return who + " " + verb + " " + strings.Join(parts, ", ") + refused(d, true)
}

// ofPods is what becomes of Pods at once, empty where that is nothing.
func ofPods(d *decision.Decision) string {
	created, possible, deleted, deletes := 0, 0, 0, "deletes "
	for _, e := range d.Follows {
		if e.Due || e.Cause.Kind == d.Target.Kind { // the retry of its own sync
			continue
		}
		for _, a := range e.Actions {
			if a.Certainty == decision.Certain {
				continue
			}
			if a.Verb == decision.Create {
				possible += a.Count
			}
			if a.Verb == decision.Delete && a.Choice == nil { // a choice leaves open which Pods, not how many
				deletes = "may delete "
			}
		}
		created, deleted = created+e.Summary.Create, deleted+e.Summary.Delete()
	}
	var parts []string
	if deleted > 0 {
		parts = append(parts, deletes+format.Plural(deleted, "Pod"))
	}
	if created > possible {
		parts = append(parts, "creates "+format.Plural(created-possible, "Pod"))
	}
	switch {
	case possible > 0 && created > possible:
		parts = append(parts, fmt.Sprintf("may create %d more", possible))
	case possible > 0:
		parts = append(parts, "may create "+format.Plural(possible, "Pod"))
	}
	return strings.Join(parts, " and ")
}

// holding is the last reason for not going on, behind which there was no other.
func holding(d *decision.Decision) string {
	text := ""
	for _, e := range d.Evidence {
		if e.Rule != RevisionInUse && !lease.Tells(e.Rule) {
			text = sourced(e, d.Target)
		}
	}
	return text
}

// sourced is what evidence about a target says, with its source where that is another
// object and the message does not name it.
func sourced(e decision.Evidence, target decision.Ref) string {
	if e.Source == target || strings.Contains(e.Message, e.Source.Name) {
		return e.Message
	}
	return e.Source.String() + ": " + e.Message
}

// failed reports whether the sync ends in an error that it is repeated for.
func failed(d *decision.Decision) bool {
	return d.NextSync.Rule == RetryWithBackoff || d.NextSync.Rule == NamespaceGone
}

func atRest(d *decision.Decision) string {
	want := d.Count.Of.Int(decision.KeyDesired)
	switch have := d.Count.Of.Int(decision.KeyAvailablePodCount); {
	case d.Gate.Rule == DeploymentPaused:
		return fmt.Sprintf("is paused: %d of %d replicas available; it is not rolled out until it is resumed.", have, want)
	case have < want:
		return fmt.Sprintf("has nothing to scale: %d of %d replicas available; its ReplicaSets have the desired size.", have, want)
	default:
		return fmt.Sprintf("has nothing to do: %d of %d replicas available.", have, want)
	}
}
