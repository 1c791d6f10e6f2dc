package clusterdsl

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Timeline writes a Timeline for goldens: the answer, each round with its
// actions and what they leave, how it ends, and what was assumed.
func Timeline(t *decision.Timeline) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s", t.Answer)
	if t.Cost != "" {
		say("%s", t.Cost)
	}
	say("  at first: %s", countsProse(t.Counts))
	for _, r := range t.Rounds {
		depends := ""
		if r.Depends {
			depends = ", depends on chance"
		}
		say("  %s at %s%s: %s", roundName(r), r.Clock, depends, actionsProse(r.Actions))
		for _, s := range r.Stopped {
			say("    stopped %s, %d: %s [%s]", s.Object, s.Syncs, s.Message, s.Rule)
		}
		say("    leaves %s", countsProse(r.Counts))
	}
	say("  at %s %s: %s [%s]", t.End.Clock, t.End.Outcome, countsProse(t.End.Counts), t.End.Rule)
	for _, w := range t.End.Why {
		say("    because %s [%s]", w.Message, w.Rule)
	}
	say("at most %d unavailable, at %s", t.Peak.Unavailable, t.Peak.Clock)
	say("ready after %s: %s [%s]", t.ReadyAfter.Duration, t.ReadyAfter.Message, t.ReadyAfter.Rule)
	if o := t.Overdue; o != nil {
		say("overdue at %s: %s [%s]", o.Clock, o.Message, o.Rule)
	}
	for _, n := range t.Notes {
		say("note %s [%s]", n.Message, n.Rule)
	}
	return b.String()
}

func roundName(r decision.Round) string {
	if r.Number == 0 {
		return "between"
	}
	return fmt.Sprintf("round %d", r.Number)
}

// actionsProse joins the objects of one verb and rule.
func actionsProse(actions []decision.Action) string {
	var parts []string
	last := ""
	for _, a := range actions {
		how := ""
		if a.Choice != nil {
			how = " (" + kOfN(a.Choice) + ")"
		}
		head := string(a.Verb) + how + " [" + a.Rule + "] "
		if head == last {
			parts[len(parts)-1] += " " + a.Object.Name
			continue
		}
		parts, last = append(parts, head+a.Object.Name), head
	}
	if len(parts) > 0 {
		for i, p := range parts {
			parts[i] = shorten(p)
		}
	}
	return strings.Join(parts, "; ")
}

// shorten leaves out the middle of long lists.
func shorten(text string) string {
	words := strings.Split(text, " ")
	if len(words) <= 24 {
		return text
	}
	return strings.Join(words[:8], " ") + " … " + strings.Join(words[len(words)-4:], " ")
}

func countsProse(c decision.Counts) string {
	text := fmt.Sprintf("%d of %d pods, %d ready, %d available", c.Pods, c.Wanted, c.Ready, c.Available)
	for _, r := range c.Revisions {
		text += fmt.Sprintf("; %s %s %d, %d available", r.Role, r.Name, r.Pods, r.Available)
	}
	if c.Terminating > 0 {
		text += fmt.Sprintf("; %d terminating", c.Terminating)
	}
	return text
}
