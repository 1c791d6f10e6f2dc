package render

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestAfter: a scale-down says where the Pods are that it keeps for certain.
func TestAfter(t *testing.T) {
	ranked := func(name, node string, f decision.Fate) decision.Ranked {
		return decision.Ranked{Object: decision.Ref{Kind: "Pod", Name: name}, Fate: f, Values: []string{node, "x"}}
	}
	order := &decision.Ranking{Criteria: []decision.Criterion{{Column: "NODE"}, {Column: "PHASE"}}, Rows: []decision.Ranked{
		ranked("a", "n1", decision.Doomed), ranked("b", "n1", decision.AtRisk), ranked("c", "n3", decision.Safe),
		ranked("d", "n2", decision.Safe), ranked("e", "n2", decision.Safe), ranked("f", "-", decision.Safe),
	}}
	scaled := []decision.Change{{Path: "spec.replicas"}}
	const budget = "a PodDisruptionBudget does not limit a scale-down"
	for _, tt := range []struct {
		name string
		d    decision.Decision
		want string
	}{
		{"own Pods", decision.Decision{WhatIf: scaled, Ranking: order}, "4 Pods kept for certain, on 2 nodes: n2 (2), n3; " + budget},
		{"those of a set", decision.Decision{WhatIf: scaled, Follows: []decision.Effect{{}, {Ranking: order}}}, "4 Pods kept for certain, on 2 nodes: n2 (2), n3; " + budget},
		{"none kept", decision.Decision{WhatIf: scaled, Ranking: &decision.Ranking{Rows: order.Rows[:1]}}, budget},
		{"nothing is chosen", decision.Decision{WhatIf: scaled}, ""},
		{"another change", decision.Decision{WhatIf: []decision.Change{{Path: "spec.template"}}, Ranking: order}, ""},
	} {
		p := newPage(&tt.d, Options{Width: 200})
		p.after()
		if got := strings.TrimSpace(strings.TrimPrefix(p.String(), "AFTER")); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
