package reconcile

import (
	"cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Outcome is what the steps of a sync come to, for those behind them.
type Outcome struct {
	// Scaling: the sync created or deleted something, and updates nothing.
	Scaling bool
	// Modified: a lifecycle moved on, and nothing is updated.
	Modified bool
	// ScaleErr and UpdateErr are what Scale and Update return, StatusErr why
	// status was not stored.
	ScaleErr, UpdateErr, StatusErr error
	// Panicked is what the sync ends in when it panics after its last write.
	Panicked error
	// Uncreated is the creation that is refused, without a rule for none.
	Uncreated decision.Ruling
}

// Scaled notes whether a step of scaling did something.
func (o *Outcome) Scaled(did bool) { o.Scaling = o.Scaling || did }

// ScaleFails notes what Scale returns, and reports whether that is an error.
func (o *Outcome) ScaleFails(err error) bool {
	o.ScaleErr = err
	return err != nil
}

// CreationFails notes the creation that is refused.
func (o *Outcome) CreationFails(why decision.Ruling) { o.Uncreated = why }

// Refreshed notes that a lifecycle moved on.
func (o *Outcome) Refreshed() { o.Modified = true }

// UpdateFails notes what Update returns.
func (o *Outcome) UpdateFails(err error) { o.UpdateErr = err }

// StatusFails notes why status is not stored.
func (o *Outcome) StatusFails(err error) { o.StatusErr = err }

// Panics notes what ends the sync after its last write.
func (o *Outcome) Panics(err error) { o.Panicked = err }

// Err returns what Scale or Update return.
func (o *Outcome) Err() error { return cmp.Or(o.ScaleErr, o.UpdateErr) }
