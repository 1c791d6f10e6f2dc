package html

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// tones are the classes of a heading, from the calmest on.
var tones = []string{"calm", "pending", "unknown", "blocked"}

// worse is the one of two tones that needs more care.
func worse(a, b string) string {
	return tones[max(slices.Index(tones, a), slices.Index(tones, b))]
}

// tone is that of a decision: of its state, or of a plan that of where it ends.
func tone(d *decision.Decision, about About) string {
	switch {
	case about.Plans && (d.Loses() || d.Timeline != nil && d.Timeline.End.Outcome == decision.Blocked || d.Timeline == nil && (d.Stopped || d.Stays())):
		return "blocked"
	case about.Plans || d.State == "":
		return pendingTone(d.Pending || d.Timeline != nil && len(d.Timeline.Rounds) > 0)
	}
	switch d.State { //exhaustive:enforce
	case decision.StateStable:
		return "calm"
	case decision.StateBlocked:
		return "blocked"
	case decision.StateUnknown:
		return "unknown"
	case decision.StateReconciling, decision.StateProgressing, decision.StateTerminating:
	}
	return "pending"
}

func pendingTone(pending bool) string {
	if pending {
		return "pending"
	}
	return "calm"
}

// firstLine is the state of what is explained, and what a plan does.
func firstLine(d *decision.Decision, about About) string {
	switch {
	case about.Plans && d.Timeline == nil && d.Idle() && !d.Withholds() && d.Headline != "":
		return d.Headline
	case about.Plans || d.Headline == "":
		return render.Predicted(answer(d), d.Target)
	}
	return d.Headline
}

// secondLine is what the controller does, where the first line does not say it.
func secondLine(d *decision.Decision, first string) string {
	if d.Stuck() && (d.Pending || !d.Said()) {
		return d.Answer
	}
	if first != d.Headline || first == answer(d) || !d.Pending && d.Said() {
		return ""
	}
	return answer(d)
}
