package cloneset

// chance is what of a sync is not deterministic, or not known, as its caveats tell.
type chance struct {
	// mayUpdate: whether it deletes anything, and else updates.
	mayUpdate bool
	// mayFail: whether a refusal comes before other actions.
	mayFail bool
	// unsureStatus: whether status counts a pod as ready.
	unsureStatus bool
	// manyExpected: which of several expectations is met first.
	manyExpected bool
	// looseOrder: the order of the whole update.
	looseOrder bool
	// doubts are why it is not known whether creations go as predicted.
	doubts []string
}

// scaleIn notes whether the scale-in may delete nothing, and the sync update.
func (c *chance) scaleIn(may bool) { c.mayUpdate = may }

// updateInstead notes that the sync may delete nothing, and update.
func (c *chance) updateInstead(may bool) { c.mayUpdate = c.mayUpdate || may }

// fail notes that a refusal may come before other actions.
func (c *chance) fail(may bool) { c.mayFail = c.mayFail || may }

// countOpened notes that status may count a pod whose gate the sync opened.
func (c *chance) countOpened(may bool) { c.unsureStatus = c.unsureStatus || may }

// expectsMany notes that several expectations are not met.
func (c *chance) expectsMany() { c.manyExpected = true }

// orderLoosely notes whether the order of the update is not known.
func (c *chance) orderLoosely(loose bool) { c.looseOrder = loose }

// doubt notes why creations may go otherwise.
func (c *chance) doubt(why []string) { c.doubts = why }
