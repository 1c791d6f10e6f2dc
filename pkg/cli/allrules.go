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

// ruleGroups are all rules that answers refer to: those of each controller, and those of
// each question about no controller alone. A group and an ID name a rule.
func ruleGroups(controllers controller.Registry) []render.RuleGroup {
	var all []render.RuleGroup
	for _, c := range controllers {
		all = append(all, render.RuleGroup{ID: c.ID, Name: kindsOf(c), Rules: c.Rules})
	}
	return append(all,
		render.RuleGroup{ID: "orphans", Name: "orphans", Rules: orphans.Rules}, render.RuleGroup{ID: "owners", Name: "owners", Rules: lineage.Rules},
		render.RuleGroup{ID: "handlers", Name: "event handlers", Rules: handlers.Rules}, render.RuleGroup{ID: "trace", Name: "trace", Rules: trace.Rules},
		render.RuleGroup{ID: "expectations", Name: "expectations", Rules: inference.Rules}, render.RuleGroup{ID: "rounds", Name: "plan in rounds", Rules: simulate.Rules},
	)
}

// RuleGroups are all rules, each once: one that several controllers share, as those of
// claims, is listed with the first that has it. Rules of one ID that say something
// else are rules of their own.
func RuleGroups(controllers controller.Registry) []render.RuleGroup {
	listed := map[[4]string]bool{}
	return picked(ruleGroups(controllers), func(r decision.Rule) bool {
		says := [4]string{r.ID, r.Title, r.Text, r.Source}
		first := !listed[says]
		listed[says] = true
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
			out = append(out, render.RuleGroup{ID: g.ID, Name: g.Name, Rules: rules})
		}
	}
	return out
}

// ruleNames are the IDs of all rules, and their full names where several have the ID.
func ruleNames(groups []render.RuleGroup) (ids, full []string) {
	many := map[string]int{}
	for _, g := range groups {
		for _, r := range g.Rules {
			many[r.ID]++
			ids = append(ids, r.ID)
		}
	}
	for _, g := range groups {
		for _, r := range g.Rules {
			if many[r.ID] > 1 {
				full = append(full, g.RuleName(r))
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), full
}

// findRules finds what an argument names: GROUP/ID one rule, ID one of each group that
// says something else by it, and GROUP all rules of a group. Case does not matter.
func findRules(controllers controller.Registry, arg string) []render.RuleGroup {
	if group, id, ok := strings.Cut(arg, "/"); ok {
		return picked(groupsNamed(controllers, group), func(r decision.Rule) bool { return strings.EqualFold(r.ID, id) })
	}
	if found := picked(RuleGroups(controllers), func(r decision.Rule) bool { return strings.EqualFold(r.ID, arg) }); len(found) > 0 {
		return found
	}
	return groupsNamed(controllers, arg)
}

func groupsNamed(controllers controller.Registry, name string) []render.RuleGroup {
	return slices.DeleteFunc(ruleGroups(controllers), func(g render.RuleGroup) bool { return !strings.EqualFold(g.ID, name) })
}
