package render

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// nodeColumn is the criterion whose values name the nodes of Pods.
const nodeColumn = "NODE"

// after says on which nodes the Pods are that a scale-down keeps for certain, and that no
// budget limits it.
func (p *page) after() {
	if !slices.ContainsFunc(p.d.WhatIf, func(c decision.Change) bool { return c.Path == "spec.replicas" }) {
		return
	}
	orders := rankings(p.d)
	for _, e := range p.d.Follows {
		if e.Ranking != nil {
			orders = append(orders, e.Ranking)
		}
	}
	kept, nodes := 0, map[string]int{}
	for _, o := range orders {
		column := slices.IndexFunc(o.Criteria, func(c decision.Criterion) bool { return c.Column == nodeColumn })
		for _, r := range o.Rows {
			if r.Fate == decision.Safe {
				kept++
				if column >= 0 && column < len(r.Values) {
					nodes[r.Values[column]]++
				}
			}
		}
	}
	if len(orders) > 0 {
		p.note("AFTER", stay(kept, nodes)+"a PodDisruptionBudget does not limit a scale-down")
	}
}

// stay says how many Pods stay, and on which nodes: those with the most of them first.
func stay(kept int, nodes map[string]int) string {
	delete(nodes, format.OrDash(""))
	if kept == 0 || len(nodes) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(nodes), func(a, b string) int {
		if nodes[a] != nodes[b] {
			return nodes[b] - nodes[a]
		}
		return slices.Compare([]string{a}, []string{b})
	})
	for i, name := range names {
		if nodes[name] > 1 {
			names[i] = fmt.Sprintf("%s (%d)", name, nodes[name])
		}
	}
	where := format.Some(names[:min(len(names), mostSafe)], len(names))
	return clean(fmt.Sprintf("%s kept for certain, on %s: %s; ", format.Plural(kept, "Pod"), format.Plural(len(names), "node"), where))
}
