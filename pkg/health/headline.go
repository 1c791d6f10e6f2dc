package health

import (
	"fmt"
	"slices"
	"sort"
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
	case r.Current < r.Desired && slices.ContainsFunc(slices.Concat(d.BlockedBy, d.WaitingFor), stopsCreation):
		return fmt.Sprintf("%d of %d Pods created", r.Current, r.Desired)
	case r.Outdated() && *r.Updated == r.Current: // what is missing is not there at all
	case r.Outdated() && r.Available < r.Desired:
		return fmt.Sprintf("%d of %d updated, %d available", *r.Updated, *r.UpdatedDesired, r.Available)
	case r.Outdated():
		return fmt.Sprintf("%d of %d updated", *r.Updated, *r.UpdatedDesired)
	}
	if r.Available > r.Desired {
		return fmt.Sprintf("%d available, %d desired", r.Available, r.Desired)
	}
	return fmt.Sprintf("%d of %d available", r.Available, r.Desired)
}

// stopsCreation reports whether Pods are missing for a cause, and not made in vain.
func stopsCreation(c decision.Cause) bool { return c.Stops && Class(c.Class) != FailedBefore }

// cause is why the target is in its state, in so many columns if that is possible.
func (a Assessment) cause(d *decision.Decision, counting []decision.Cause, room int) string {
	besides := both(room, a.adoption(room), strings.Join(a.Besides, ", "))
	switch {
	case a.Collected != nil:
		return fit(labels(counting), room)
	case d.State == decision.StateReconciling:
		return both(room, besides, due(d, room))
	case d.State == decision.StateStable:
		return both(room, both(room, fit(labels(counting), room), besides), a.Note)
	case d.State == decision.StateUnknown:
		return both(room, besides, unknown(a, counting, room))
	}
	switch {
	case d.State != decision.StateBlocked:
	case slices.ContainsFunc(counting, explains):
		counting = append(slices.Clone(counting), failingPods(d.WaitingFor)...)
	default:
		counting = append(slices.Clone(d.WaitingFor), counting...)
	}
	return both(room, summary(counting, d, room), besides)
}

// adoption is what adopts the target, in so many columns if that is possible.
func (a Assessment) adoption(room int) (text string) {
	for _, text = range a.Adopted {
		if utf8.RuneCountInString(text) <= room {
			break
		}
	}
	return text
}

// failingPods are the causes of Pods that say what to change: in a first line, they stand
// beside what blocks, and behind what the next sync does.
func failingPods(causes []decision.Cause) []decision.Cause {
	return slices.DeleteFunc(slices.Clone(causes), func(c decision.Cause) bool { return c.Pod == nil || c.Class == "" || rankOf(c) != causeRank })
}

// both joins two texts, or is the first one where both do not fit.
//
//go:noinline // it is called at many places
func both(room int, first, second string) string {
	joined := first + ", " + second
	switch {
	case first == "" || second == "":
		return first + second
	case utf8.RuneCountInString(joined) > room:
		return first
	}
	return joined
}

// due is what the next sync does, behind why it may not come soon. One that does nothing
// but write status observes the generation.
func due(d *decision.Decision, room int) string {
	text := both(room, fit(labels(heldUp(d)), room), does(d))
	if text == "" {
		return fit(labels(d.WaitingFor), room)
	}
	failing := failingPods(d.Causes())
	if outage(d, failing) {
		return both(room, fit(labels(failing), room), text)
	}
	also := withheld(d) // what it does is not all that is due
	flaps := slices.ContainsFunc(failing, func(c decision.Cause) bool { return Class(c.Class) == Flapping })
	if d.Replicas != nil && d.Replicas.Available < d.Replicas.Desired || flaps {
		also = slices.Concat(failing, slices.DeleteFunc(also, func(c decision.Cause) bool { return c.Pod != nil }))
	}
	said := both(room, text, fit(labels(also), room-utf8.RuneCountInString(text)-len(", ")))
	if said != text {
		return said
	}
	if onlyStates(d) && slices.ContainsFunc(also, hooked) {
		return both(room, fit(labels(also), room), text)
	}
	if i := slices.IndexFunc(also, func(c decision.Cause) bool { return Class(c.Class) == Paused }); i >= 0 {
		return text + ", " + also[i].Shortest() // also where that is longer than a line should be
	}
	return text
}

// withheld are the causes for which the target is not updated, whatever else the next sync does: in
// the target itself, such as that it is paused, and lifecycle hooks that hold its Pods.
func withheld(d *decision.Decision) []decision.Cause {
	return slices.DeleteFunc(slices.Clone(d.BlockedBy), func(c decision.Cause) bool { return (c.Object != d.Target || c.Follows) && !hooked(c) })
}

// hooked reports whether a lifecycle hook holds a Pod.
func hooked(c decision.Cause) bool { return Class(c.Class) == Hook }

// onlyStates reports whether the next sync does nothing but change lifecycle states.
func onlyStates(d *decision.Decision) bool {
	return len(d.Actions) > 0 && !slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return a.Verb != decision.SetState })
}

// heldUp are the causes for which the next sync may not come soon.
func heldUp(d *decision.Decision) []decision.Cause {
	return slices.DeleteFunc(slices.Clone(d.WaitingFor), func(c decision.Cause) bool { return !stopping(c) })
}

// foremost are the causes that due names, those first that it names before what is done. Of those
// behind that, what is withheld.
func foremost(d *decision.Decision) []decision.Cause {
	all := append(heldUp(d), withheld(d)...)
	if failing := failingPods(d.Causes()); outage(d, failing) {
		return append(failing, all...)
	}
	return all
}

// outage reports whether nothing is available, and failing Pods say why: that comes first,
// whatever the next sync does.
func outage(d *decision.Decision, failing []decision.Cause) bool {
	return d.Replicas != nil && d.Replicas.Available == 0 && d.Replicas.Desired > 0 && len(failing) > 0
}

// unknown says what is not known, and what is.
func unknown(a Assessment, counting []decision.Cause, room int) string {
	switch {
	case len(counting) > 0:
		return fit(labels(counting), room)
	case a.Forbidden != "" && a.Replicas != nil && !a.Replicas.Complete():
		return "why is not known: to list " + a.Forbidden + " is forbidden"
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
	var texts []string
	labels := []string{c.Label}
	if c.Within {
		labels = []string{c.In(c.Container), c.Label}
	}
	for _, label := range labels {
		text := c.Object.Name + " " + label
		if c.Object.Name != "" && !c.Since.IsZero() {
			texts = append(texts, text+" for "+duration.HumanDuration(max(now.Sub(c.Since), 0)))
		}
		texts = append(texts, text)
	}
	return texts
}

// label is what a first line says of the causes of one label, with the number of Pods
// where they are of Pods.
type label struct {
	// texts are its label, and the same where there is less room.
	texts []string
	// rank orders it among those of which some are left out.
	rank rank
	// silent: it follows from the others, and is left out without a word.
	silent bool
}

// labels are those of causes, each once, without those that another one names.
func labels(causes []decision.Cause) []label {
	type group struct {
		label  string
		ofPods bool
	}
	of := func(c decision.Cause) group { return group{c.Label, c.Pod != nil} }
	count, order, in := map[group]int{}, []decision.Cause(nil), map[group]string{}
	for _, c := range causes {
		if c.Named {
			continue
		}
		within := ""
		if c.Within {
			within = c.Container
		}
		if count[of(c)]++; count[of(c)] == 1 {
			order, in[of(c)] = append(order, c), within
		} else if in[of(c)] != within {
			in[of(c)] = ""
		}
	}
	all := make([]label, 0, len(order))
	for _, c := range order {
		many := ""
		if c.Pod != nil {
			many = fmt.Sprintf("%d ", count[of(c)])
		}
		texts := []string{many + c.Label}
		if within := in[of(c)]; within != "" {
			texts = []string{many + c.In(within), many + c.Label}
		}
		for _, brief := range c.Briefs {
			texts = append(texts, many+brief)
		}
		l := label{texts: texts, rank: rankOf(c)}
		if c.Follows && len(order) > 1 {
			l.rank, l.silent = silentRank, true
		}
		all = append(all, l)
	}
	return all
}

// fit joins as many labels as there is room for, one at least, and counts the rest. All
// are shortened before one is left out, what follows from the others is left out first, and a
// symptom before its cause.
func fit(all []label, room int) string {
	if text, fits := some(all, len(all), room); fits || len(all) == 0 {
		return text
	}
	byRank := slices.Clone(all)
	sort.SliceStable(byRank, func(i, j int) bool { return byRank[i].rank < byRank[j].rank })
	for n := len(all) - 1; n > 1; n-- {
		if text, fits := some(byRank, n, room); fits {
			return text
		}
	}
	text, _ := some(byRank, 1, room)
	return text
}

// some joins the first n labels and the number of the others, said of what where there is
// room for that. The last labels are shortened first; fits reports whether that was enough.
func some(all []label, n, room int) (text string, fits bool) {
	left := 0
	for _, l := range all[n:] {
		if !l.silent {
			left++
		}
	}
	if left == 0 {
		return joined(all[:n], room)
	}
	short, long := fmt.Sprintf("%d more", left), fmt.Sprintf("%d more causes", left)
	if left == 1 {
		long = "another cause"
	}
	text, fits = joined(all[:n], room, short)
	if said := strings.TrimSuffix(text, short) + long; utf8.RuneCountInString(said) <= room {
		text = said
	}
	return text, fits
}

func joined(labels []label, room int, rest ...string) (text string, fits bool) {
	parts := make([]string, 0, len(labels)+len(rest))
	for _, l := range labels {
		parts = append(parts, l.texts[0])
	}
	parts = append(parts, rest...)
	for _, s := range shortenings(labels) {
		if text = strings.Join(parts, ", "); utf8.RuneCountInString(text) <= room {
			return text, true
		}
		parts[s.label] = labels[s.label].texts[s.text]
	}
	text = strings.Join(parts, ", ")
	return text, utf8.RuneCountInString(text) <= room
}

// shortening is a label with the next shorter one of its texts.
type shortening struct{ label, text int }

// shortenings are those of labels in their order: the last label first, and each once
// before one is shortened again.
func shortenings(all []label) []shortening {
	var steps []shortening
	for text := 1; ; text++ {
		before := len(steps)
		for i, a := range slices.Backward(all) {
			if text < len(a.texts) {
				steps = append(steps, shortening{i, text})
			}
		}
		if len(steps) == before {
			return steps
		}
	}
}
