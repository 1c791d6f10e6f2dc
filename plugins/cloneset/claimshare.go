package cloneset

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// claimShare counts the volume claims that are deleted. Those of pods of which
// chance picks K of N go in the same share.
type claimShare struct {
	certain, possible int
	choice            *decision.Choice
}

func (c *claimShare) add(a decision.Action) {
	if a.Choice == nil {
		c.certain++
		return
	}
	c.possible++
	c.choice = a.Choice
}

// number is exact where the pods have as many claims each, else rounded up.
func (c *claimShare) number() int {
	if c.choice == nil {
		return c.certain
	}
	return c.certain + (c.possible*c.choice.K+c.choice.N-1)/c.choice.N
}
