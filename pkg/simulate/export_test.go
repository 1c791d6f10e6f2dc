package simulate

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// Ordered picks from actions in another order.
func (o Options) Ordered(order func([]decision.Action) []decision.Action) Options {
	o.order = order
	return o
}
