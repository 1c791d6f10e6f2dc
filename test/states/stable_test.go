package states

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// stableStates are those in which nothing is wrong.
var stableStates = []state{
	{
		name: "stable", target: "deploy/web",
		cluster: func(c *cluster) { c.stable("web", 5, template("web", "shop/web:1.9")) },
		want:    want{state: decision.StateStable, counts: "5 of 5 replicas available", planned: "nothing"},
	},
}
