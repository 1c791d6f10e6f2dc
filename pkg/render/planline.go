package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// Planned counts what would be done. Where other controllers follow, what becomes of
// Pods comes first: that is what a change leads to.
func Planned(d *decision.Decision) string {
	var n decision.Summary
	scaled := ""
	var below decision.Decision
	afterwards := later(d.Afterwards()) + hanging(d.Hanging)
	for _, e := range d.Follows {
		if e.Due && e.Cause == d.Target { // the sync after one that only writes status
			d = &decision.Decision{Target: d.Target, Actions: e.Actions, Summary: e.Summary, Follows: d.Follows}
		}
		if e.Cause.Kind != d.Target.Kind { // the retry of its own sync is no other's
			n.Create, n.DeleteCertain, scaled = n.Create+e.Summary.Create, n.DeleteCertain+e.Summary.Delete(), e.Cause.Kind
			n.Adopt, n.Release = n.Adopt+e.Summary.Adopt, n.Release+e.Summary.Release
			below.Do(e.Actions...)
			below.Later.PodsDeleted += e.Later.PodsDeleted
		}
	}
	switch {
	case scaled != "":
	case len(d.Sets) > 0 && slices.ContainsFunc(d.Caveats, isUnknown):
		return fmt.Sprintf("Pods to create and delete are not known; of %ss: %s.", d.Sets[0].Object.Kind, tallied(d))
	default:
		return tallied(d) + afterwards + "."
	}
	pods := fmt.Sprintf("%s to create%s, %d to delete%s", format.Plural(n.Create, "Pod"), possibly(below.Possible(decision.Create)), n.DeleteCertain, possibly(below.Possible(decision.Delete)))
	if n.Adopt > 0 {
		pods += fmt.Sprintf(", %d to adopt%s", n.Adopt, possibly(below.Possible(decision.Adopt)))
	}
	if n.Release > 0 {
		pods += fmt.Sprintf(", %d to release", n.Release)
	}
	return fmt.Sprintf("%s%s; of %ss: %s.", pods, later(below.Later), scaled, tallied(d))
}

// isUnknown reports whether a caveat says that what follows is not known.
func isUnknown(c decision.Caveat) bool { return c.Code == decision.FollowUpUnknown }

// later counts what later syncs create and delete.
func later(n decision.Toll) string { return behind("; in later syncs ", n) }

// hanging counts what is deleted once lifecycle hooks release Pods.
func hanging(n decision.Toll) string { return behind("; once lifecycle hooks release them, ", n) }

// behind counts what is done some time, empty for nothing.
func behind(when string, n decision.Toll) string {
	var parts []string
	if n.PodsCreated > 0 {
		parts = append(parts, fmt.Sprintf("%d to create", n.PodsCreated))
	}
	if deleted := n.PodsDeleted - n.PodsRecreated; deleted > 0 {
		parts = append(parts, fmt.Sprintf("%d to delete", deleted))
	}
	if n.PodsRecreated > 0 {
		parts = append(parts, fmt.Sprintf("%d to recreate", n.PodsRecreated))
	}
	if n.ClaimsDeleted > 0 {
		parts = append(parts, format.Plural(n.ClaimsDeleted, "volume claim")+" to delete")
	}
	if len(parts) == 0 {
		return ""
	}
	return when + strings.Join(parts, ", ")
}

// tallied counts in the manner of terraform and kapp. Objects to create, delete, adopt
// and release are always counted, anything else when there is some.
func tallied(d *decision.Decision) string {
	s := d.Summary
	var parts []string
	some := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	some(s.Scale, "%d to scale")
	some(s.Modify, "%d to modify")
	parts = append(parts, fmt.Sprintf("%d to create%s", s.Create, possibly(d.Possible(decision.Create))))
	some(s.Update, "%d to update in place")
	if d.KeepsMarked() {
		some(s.Recreate, "%d to mark for deletion"+atMost(d))
	} else {
		some(s.Recreate, "%d to recreate"+atMost(d))
	}
	parts = append(parts, deletions(d), fmt.Sprintf("%d to adopt%s", s.Adopt, possibly(d.Possible(decision.Adopt))), fmt.Sprintf("%d to release", s.Release))
	if d.OnlyMarks() {
		some(s.SetState, "%d to get other metadata")
	} else {
		some(s.SetState, "%d to move to another lifecycle state")
	}
	if n := d.Acts(decision.SetCondition, "Pod"); n > 0 {
		parts = append(parts, format.Plural(n, "readiness gate")+" to open")
	}
	claims := "PersistentVolumeClaim"
	if s.DeleteClaims > 0 {
		parts = append(parts, format.Plural(s.DeleteClaims, "volume claim")+" to delete")
	}
	if n := d.Acts(decision.Detach, claims); n > 0 {
		parts = append(parts, format.Plural(n, "volume claim")+" to hand over")
	}
	if n := d.Acts(decision.Adopt, "ControllerRevision"); n > 0 {
		parts = append(parts, format.Plural(n, "revision")+" to adopt")
	}
	if n := d.Acts(decision.Delete, "ControllerRevision"); n > 0 {
		parts = append(parts, format.Plural(n, "old revision")+" to delete")
	}
	return strings.Join(parts, ", ")
}

// atMost says that fewer Pods than counted may be recreated.
func atMost(d *decision.Decision) string {
	for _, c := range d.Choices() {
		if c.Fewer && c.Gravest() == decision.Recreate {
			return " at most"
		}
	}
	return ""
}

func deletions(d *decision.Decision) string {
	text := fmt.Sprintf("%d to delete", d.Summary.Delete())
	if possible := d.PossibleDeletions(); possible != "" {
		return text + fmt.Sprintf(" (%d certain, %s)", d.Summary.DeleteCertain, possible)
	}
	return text + possibly(d.Possible(decision.Delete))
}

// possibly says how many are not certain, nothing for none.
//
//go:noinline // it is called at many places
func possibly(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d possible)", n)
}

// kept says why Pods that are to be kept are deleted, and which command spares them.
func (p *page) kept() {
	for _, k := range p.d.Keep {
		switch {
		case k.Command != "":
			p.note("TO KEEP", fmt.Sprintf("%s: %s", k.Pod.Name, k.Command))
		case k.CommandAlone != "":
			p.note("NOT KEPT", fmt.Sprintf("%s: not all of these Pods can be kept; this one alone: %s", k.Pod.Name, k.CommandAlone))
		case k.Going:
			p.note("NOT KEPT", k.Pod.Name+": "+k.Message)
		case k.Unchosen:
			p.note("NOT KEPT", fmt.Sprintf("%s: %s; ask again then whether a pod-deletion-cost spares it", k.Pod.Name, k.Message))
		case k.MayStay:
			p.note("NOT KEPT", fmt.Sprintf("%s: %s; no pod-deletion-cost spares it for certain", k.Pod.Name, k.Message))
		case k.Fate != decision.Safe:
			p.note("NOT KEPT", fmt.Sprintf("%s: %s; no pod-deletion-cost spares it", k.Pod.Name, k.Message))
		}
	}
}
