package health

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// columns is how wide a first line should be before its full stop, and longest up to how
// long the causes are in a list, before the rest of them is counted.
const (
	columns = 100
	longest = 72
)

// headline is the first line about a target, with the cause in short.
func headline(d *decision.Decision, cause string) string {
	line := opening(d)
	if cause == "" {
		return line + "."
	}
	return line + "; " + cause + "."
}

// opening is a first line up to its cause.
func opening(d *decision.Decision) string {
	line := d.Target.String()
	if d.Target.Namespace != "" {
		line += " in " + d.Target.Namespace
	}
	line += ": " + strings.ToLower(string(d.State))
	if counts := counts(d); counts != "" {
		line += ", " + counts
	}
	return line
}

// room is how long the causes in a first line may be.
func room(d *decision.Decision) int {
	return min(longest, columns-utf8.RuneCountInString(opening(d))-len("; "))
}

// counts are the numbers that the state turns on.
func counts(d *decision.Decision) string {
	r := d.Replicas
	switch {
	case r == nil:
		return ""
	case d.State == decision.StateStable && r.UpdatedDesired != nil && *r.UpdatedDesired < r.Desired:
		return fmt.Sprintf("%d of %d replicas available, %d updated", r.Available, r.Desired, *r.Updated)
	case d.State == decision.StateStable:
		return fmt.Sprintf("%d of %d replicas available", r.Available, r.Desired)
	case r.Current < r.Desired && stops(d):
		return fmt.Sprintf("%d of %d Pods created", r.Current, r.Desired)
	case r.Outdated() && *r.Updated == r.Current: // what is missing is not there at all
	case r.Outdated() && r.Available < r.Desired:
		return fmt.Sprintf("%d of %d updated, %d available", *r.Updated, *r.UpdatedDesired, r.Available)
	case r.Outdated():
		return fmt.Sprintf("%d of %d updated", *r.Updated, *r.UpdatedDesired)
	}
	return fmt.Sprintf("%d of %d available", r.Available, r.Desired)
}

func stops(d *decision.Decision) bool {
	return d.Stopped || slices.ContainsFunc(d.WaitingFor, stopping)
}

// cause is why the target is in its state, in so many columns if that is possible.
func (a Assessment) cause(d *decision.Decision, counting []decision.Cause, room int) string {
	switch d.State {
	case decision.StateReconciling:
		return due(d, room)
	case decision.StateStable:
		return a.Note
	case decision.StateUnknown:
		return unknown(a, counting, room)
	}
	return summary(counting, d, room)
}

// due is what the next sync does, behind why it may not come soon.
func due(d *decision.Decision, room int) string {
	held := slices.DeleteFunc(slices.Clone(d.WaitingFor), func(c decision.Cause) bool { return !stopping(c) })
	why, does := fit(labels(held), room), does(d)
	both := why + ", " + does
	switch {
	case why == "":
		return does
	case does == "" || utf8.RuneCountInString(both) > room:
		return why
	}
	return both
}

// unknown says what is not known, and what is.
func unknown(a Assessment, counting []decision.Cause, room int) string {
	switch {
	case len(counting) > 0:
		return fit(labels(counting), room)
	case a.Unread && a.Replicas != nil && !a.Replicas.Complete():
		return "why is not known"
	case a.Unread:
		return "" // a caveat says what was not read
	}
	return "nothing says why"
}

// summary counts causes by their labels: "1 Unschedulable, 2 OOMKilled". A Pod that
// alone is waited for is named.
func summary(causes []decision.Cause, d *decision.Decision, room int) string {
	if len(causes) == 1 && causes[0].Pod != nil && !causes[0].Blocked {
		for _, text := range alone(causes[0], d.AsOf) {
			if utf8.RuneCountInString(text) <= room {
				return text
			}
		}
	}
	return fit(labels(causes), room)
}

// alone are what is said of a Pod that alone is waited for, the longest first.
func alone(c decision.Cause, now time.Time) []string {
	text := c.Object.Name + " " + c.Label
	if c.Object.Name == "" || c.Since.IsZero() {
		return []string{text}
	}
	return []string{text + " for " + duration.HumanDuration(now.Sub(c.Since)), text}
}

// labels are those of causes, each once, with the number of Pods where it is of Pods.
func labels(causes []decision.Cause) []string {
	count, order := map[string]int{}, []string(nil)
	for _, c := range causes {
		key := c.Label
		if c.Pod != nil {
			key = "\x00" + key
		}
		if count[key]++; count[key] == 1 {
			order = append(order, key)
		}
	}
	for i, key := range order {
		if label, ofPods := strings.CutPrefix(key, "\x00"); ofPods {
			order[i] = fmt.Sprintf("%d %s", count[key], label)
		}
	}
	return order
}

// fit joins as many labels as there is room for, one at least, and counts the rest. The
// numbers behind the first one are left out before another label is.
func fit(labels []string, room int) string {
	if len(labels) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(labels[0], " (")
	brief := slices.Concat([]string{name}, labels[1:])
	for n := len(labels); n > 0; n-- {
		for _, text := range []string{some(labels, n), some(brief, n)} {
			if utf8.RuneCountInString(text) <= room {
				return text
			}
		}
	}
	return some(brief, 1)
}

// some are the first n labels, and the number of the others.
func some(labels []string, n int) string {
	text := strings.Join(labels[:n], ", ")
	if left := len(labels) - n; left > 0 {
		text += fmt.Sprintf(", %d more", left)
	}
	return text
}
