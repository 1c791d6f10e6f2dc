package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// outcome is what the steps of a sync come to, for those behind them.
type outcome struct {
	// scaling: the sync created or deleted something, and updates nothing.
	scaling bool
	// modified: a lifecycle moved on, and nothing is updated.
	modified bool
	// scaleErr and updateErr are what Scale and Update return, statusErr why
	// status was not stored.
	scaleErr, updateErr, statusErr error
	// panicked is what the sync ends in when it panics after its last write.
	panicked error
	// uncreated is the creation that is refused, without a rule for none.
	uncreated decision.Ruling
}

// scaled notes whether a step of scaling did something.
func (o *outcome) scaled(did bool) { o.scaling = o.scaling || did }

// scaleFails notes what Scale returns, and reports whether that is an error.
func (o *outcome) scaleFails(err error) bool {
	o.scaleErr = err
	return err != nil
}

// creationFails notes the creation that is refused.
func (o *outcome) creationFails(why decision.Ruling) { o.uncreated = why }

// refreshed notes that a lifecycle moved on.
func (o *outcome) refreshed() { o.modified = true }

// updateFails notes what Update returns.
func (o *outcome) updateFails(err error) { o.updateErr = err }

// statusFails notes why status is not stored.
func (o *outcome) statusFails(err error) { o.statusErr = err }

// panics notes what ends the sync after its last write.
func (o *outcome) panics(err error) { o.panicked = err }
