package reconcile

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
)

// Budgets are the PodUnavailableBudgets that the sync asks, and what they say.
type Budgets struct {
	*pubcontrol.Control
	// Refusing is the one that stops the update, empty for none.
	Refusing string
	// MayRefuse: whether one stops the update is not deterministic, or not known.
	MayRefuse bool
	// Forbidding is the one that stops deletions, nil for none.
	Forbidding *pubcontrol.Budget
	// MayForbid is one of which that is not deterministic, or not known, nil for none.
	MayForbid *pubcontrol.Budget
}

// Beyond reports whether a budget holds up an update or a deletion which counts
// more than the set's own pods: when it allows one again is not simulated.
func (b *Budgets) Beyond() bool {
	return b.CountsMore(b.Refusing) || b.Forbidding != nil && b.CountsMore(b.Forbidding.Name)
}
