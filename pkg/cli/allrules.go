package cli

import (
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
)

// RuleGroups are all rules that answers refer to, each once: those of each
// controller, with those of claims in the first that has them, and those of each
// question about no controller alone.
func RuleGroups(controllers controller.Registry) []render.RuleGroup {
	var all []render.RuleGroup
	for _, c := range controllers {
		all = append(all, render.RuleGroup{Name: kindsOf(c), Rules: c.Rules})
	}
	all = append(all,
		render.RuleGroup{Name: "orphans", Rules: orphans.Rules}, render.RuleGroup{Name: "owners", Rules: lineage.Rules},
		render.RuleGroup{Name: "event handlers", Rules: handlers.Rules}, render.RuleGroup{Name: "trace", Rules: trace.Rules},
		render.RuleGroup{Name: "expectations", Rules: inference.Rules}, render.RuleGroup{Name: "plan in rounds", Rules: simulate.Rules},
	)
	listed := map[string]bool{}
	return picked(all, func(r decision.Rule) bool {
		first := !listed[r.ID]
		listed[r.ID] = true
		return first
	})
}

func kindsOf(c controller.Controller) string {
	names := make([]string, len(c.Kinds))
	for i, k := range c.Kinds {
		names[i] = k.Kind
	}
	return strings.Join(names, ", ")
}

// picked are groups with those rules that are wanted; without groups that have none.
func picked(all []render.RuleGroup, wanted func(decision.Rule) bool) []render.RuleGroup {
	var out []render.RuleGroup
	for _, g := range all {
		rules := slices.DeleteFunc(slices.Clone(g.Rules), func(r decision.Rule) bool { return !wanted(r) })
		if len(rules) > 0 {
			out = append(out, render.RuleGroup{Name: g.Name, Rules: rules})
		}
	}
	return out
}

// allRules is the catalogue of all groups.
func allRules(controllers controller.Registry) decision.Catalogue {
	var all decision.Catalogue
	for _, g := range RuleGroups(controllers) {
		all = append(all, g.Rules...)
	}
	return all
}
