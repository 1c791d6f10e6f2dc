package clusterdsl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Prose writes a Decision for goldens: the answer, the actions, and the parts
// asked for, of claims, claiming, changes, order, ranking, status, gate, next, expectations, evidence,
// caveats and patches.
func Prose(d *decision.Decision, parts ...string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s", d.Answer)
	for _, a := range d.Actions {
		say("  %s %s %s: %s [%s]", a.Verb, named(a), sure(a), a.Message, a.Rule)
		if slices.Contains(parts, "patches") && a.Patch != "" {
			say("    %s", a.Patch)
		}
	}
	for _, part := range parts {
		sections[part](d, say)
	}
	return b.String()
}

func named(a decision.Action) string {
	if a.Verb == decision.Create {
		return fmt.Sprintf("%d × %s", a.Count, a.Object.Name)
	}
	return a.Object.Name
}

func sure(a decision.Action) string {
	if a.Choice == nil {
		return string(a.Certainty)
	}
	return fmt.Sprintf("%s (%s)", a.Certainty, kOfN(a.Choice))
}

func kOfN(c *decision.Choice) string {
	if c.AtMost {
		return fmt.Sprintf("at most %d of %d", c.K, c.N)
	}
	return fmt.Sprintf("%d of %d", c.K, c.N)
}

var sections = map[string]func(*decision.Decision, func(string, ...any)){
	"patches": func(*decision.Decision, func(string, ...any)) {},
	"claims": func(d *decision.Decision, say func(string, ...any)) {
		for _, c := range d.Claims {
			say("claim %s %s: %s [%s]", c.Object.Name, c.Decision, c.Message, c.Rule)
		}
	},
	"changes": func(d *decision.Decision, say func(string, ...any)) {
		for _, a := range d.Actions {
			if a.Change != "" {
				say("change of %s: %s", named(a), a.Change)
				say("  %s [%s]", a.Containers.Message, a.Containers.Rule)
			}
		}
	},
	"order": func(d *decision.Decision, say func(string, ...any)) {
		for _, u := range d.Updates {
			if u.Order != nil {
				say("order #%d %s: %s [%s]", u.Place, u.Object.Name, u.Order.Message, u.Order.Rule)
			}
		}
	},
	"claiming": func(d *decision.Decision, say func(string, ...any)) {
		for _, r := range d.Claiming {
			say("claims: %s [%s]", r.Message, r.Rule)
		}
	},
	"ranking": ranking,
	"gate": func(d *decision.Decision, say func(string, ...any)) {
		say("gate %s [%s]", d.Gate.Message, d.Gate.Rule)
	},
	"next": func(d *decision.Decision, say func(string, ...any)) {
		say("next sync %s [%s]", d.NextSync.Message, d.NextSync.Rule)
	},
	"status": status,
	"expectations": func(d *decision.Decision, say func(string, ...any)) {
		say("expects before %s, after %s", record(d.Expectations.Before), record(d.Expectations.After))
	},
	"readback": func(d *decision.Decision, say func(string, ...any)) {
		for _, r := range d.Expectations.ReadBack {
			say("reads back %s [%s]", r.Message, r.Rule)
		}
	},
	"evidence": func(d *decision.Decision, say func(string, ...any)) {
		for _, e := range d.Evidence {
			say("evidence %s: %s [%s]", e.Source, e.Message, e.Rule)
		}
	},
	"caveats": func(d *decision.Decision, say func(string, ...any)) {
		for _, c := range d.Caveats {
			say("caveat %s [%s]", c.Message, c.Code)
		}
	},
	"reasons": func(d *decision.Decision, say func(string, ...any)) {
		for _, r := range d.Reasons {
			say("why %s: %s [%s]", r.Question, r.Message, r.Rule)
		}
	},
	"later": func(d *decision.Decision, say func(string, ...any)) {
		t := d.Afterwards()
		say("later deleted %d, recreated %d, claims %d", t.PodsDeleted, t.PodsRecreated, t.ClaimsDeleted)
		if h := d.Hanging; h != (decision.Toll{}) {
			say("held by hooks: deleted %d, recreated %d, claims %d", h.PodsDeleted, h.PodsRecreated, h.ClaimsDeleted)
		}
	},
	"owners": func(d *decision.Decision, say func(string, ...any)) {
		say("owners %v", d.Owners)
	},
}

func ranking(d *decision.Decision, say func(string, ...any)) {
	if d.Ranking == nil {
		say("no ranking")
		return
	}
	for _, order := range append([]*decision.Ranking{d.Ranking}, d.MoreRankings...) {
		ranked(order, say)
	}
}

func ranked(order *decision.Ranking, say func(string, ...any)) {
	for _, r := range order.Rows {
		line := fmt.Sprintf("rank %d %s %s", r.Block, r.Object.Name, r.Fate)
		if r.DecidedBy != nil {
			line += fmt.Sprintf(": %s [%s]", r.DecidedBy.Message, r.DecidedBy.Rule)
		}
		say("%s", line)
	}
	if u := order.Undetermined; u != nil {
		say("undetermined: %s [%s]", u.Message, u.Rule)
	}
	if h := order.HoldsUntil; h != nil {
		say("holds until %s", h.UTC().Format("15:04:05"))
	}
}

func status(d *decision.Decision, say func(string, ...any)) {
	var changed []string
	for _, f := range d.Status.Fields {
		if f.Stored != f.Next {
			changed = append(changed, fmt.Sprintf("%s %s → %s", f.Field, f.Stored, f.Next))
			if f.Certainty != "" {
				changed[len(changed)-1] += " " + string(f.Certainty)
			}
		}
	}
	say("status %s [%s] writes=%v %s", d.Status.Message, d.Status.Rule, d.Status.Writes, strings.Join(changed, ", "))
}

func record(e *decision.Expectation) string {
	if e == nil {
		return "nothing"
	}
	keys := strings.Join(append(slices.Clone(e.DeleteKeys), e.PossibleKeys...), " ")
	limit := ""
	if e.Forever {
		limit = ", no timeout"
	}
	return strings.TrimSpace(fmt.Sprintf("%d creations, %d deletions %s", e.Adds, e.Dels, keys)) + limit
}
