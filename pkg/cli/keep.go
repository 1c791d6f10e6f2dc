package cli

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// keep is what stays of a decision once it is made.
type keep func(*decision.Decision) *decision.Decision

func whole(d *decision.Decision) *decision.Decision { return d }

// keeping picks what a list in a format keeps of each decision. Those that are
// watched are compared, and stay whole.
func (f *outputFlags) keeping(kind string, watch bool) func() keep {
	switch {
	case f.list.sortBy != "": // by any field
		return nil
	case (f.format == "" && *f.template.TemplateArgument == "" || f.format == "wide") && !watch:
		return func() keep { return brief }
	case f.format == "name" && !watch && kind == render.ExplanationKind:
		return func() keep { return brief }
	case f.format == "name" && !watch:
		return onlyNames
	case f.format == "wide" || f.format == "name" || f.format == "", f.all:
		return nil
	}
	return func() keep { return folded }
}

// brief is what a list says of a decision, and what its exit status follows from.
func brief(d *decision.Decision) *decision.Decision {
	standing := d.Standing
	standing.BlockedBy, standing.WaitingFor = leaders(d), nil
	return &decision.Decision{
		Target: d.Target, Answer: d.Answer, Standing: standing, Pending: d.Pending, Partial: d.Partial, Summary: d.Summary, AsOf: d.AsOf,
		Refused: d.Refused, Keep: d.Keep, BelowRefused: d.BelowRefused, Caveats: d.Caveats, Timeline: d.Timeline, WhatIf: d.WhatIf,
	}
}

// target is what a bundle needs of a decision: nothing but that it was made.
func target(d *decision.Decision) *decision.Decision { return &decision.Decision{Target: d.Target} }

// folded leaves out what the decisions about other controllers repeat.
func folded(d *decision.Decision) *decision.Decision { return d.Fold(format.Most) }

// onlyNames keeps of the actions those on objects that no decision before named.
func onlyNames() keep {
	seen := map[string]bool{}
	return func(d *decision.Decision) *decision.Decision {
		if d.Timeline != nil {
			return d
		}
		short, created := brief(d), map[string]bool{}
		for _, a := range d.AllActions() {
			name := a.Object.Qualified()
			if a.Verb == decision.Create {
				created[name] = true
			}
			if !created[name] && !seen[name] {
				seen[name] = true
				short.Do(decision.Action{Verb: a.Verb, Object: a.Object})
			}
		}
		return short
	}
}
