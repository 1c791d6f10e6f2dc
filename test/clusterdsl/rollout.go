package clusterdsl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func init() {
	sections["updates"] = updates
	sections["revisions"] = revisions
	sections["limits"] = limits
	sections["conditions"] = conditions
	sections["versions"] = func(d *decision.Decision, say func(string, ...any)) {
		if d.Expectations.After != nil {
			after := d.Expectations.After
			of := after.Versions
			if len(after.PossibleVersions) > 0 {
				of = append(slices.Clone(of), fmt.Sprintf("%d of (%s)", after.NewVersions-int64(len(of)), strings.Join(after.PossibleVersions, " ")))
			}
			say("expects new versions of %s", strings.Join(of, " "))
		}
	}
	sections["modelled"] = func(d *decision.Decision, say func(string, ...any)) {
		say("modelled %s of %s %s, %s; gates: %s", d.Modelled.Controller, d.Modelled.Product, d.Modelled.Version, d.Modelled.Basis, d.Modelled.GatesBasis)
	}
}

func updates(d *decision.Decision, say func(string, ...any)) {
	for _, u := range d.Updates {
		place, sure := "", ""
		if u.Place > 0 {
			place = fmt.Sprintf(" #%d", u.Place)
		}
		switch {
		case u.Choice != nil:
			sure = " (" + kOfN(u.Choice) + ")"
		case u.Certainty == decision.Possible && (u.State == decision.Kept || u.State == decision.Waiting):
			sure = " (possible)"
		}
		say("update%s %s %s%s: %s [%s]", place, u.Object.Name, u.State, sure, u.Message, u.Rule)
		if u.Budget != nil {
			say("  %s: %s [%s]", u.Object.Name, u.Budget.Message, u.Budget.Rule)
		}
	}
}

func revisions(d *decision.Decision, say func(string, ...any)) {
	for _, r := range d.Revisions {
		say("revision %s %s: %s [%s]", r.Name, strings.Join(r.Roles, "+"), r.Message, r.Rule)
	}
}

func limits(d *decision.Decision, say func(string, ...any)) {
	for _, l := range d.Limits {
		say("limit %s [%s]", l.Message, l.Rule)
	}
}

func conditions(d *decision.Decision, say func(string, ...any)) {
	for _, c := range d.Status.Conditions {
		say("condition %s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message)
	}
}
