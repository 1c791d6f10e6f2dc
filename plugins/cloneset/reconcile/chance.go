package reconcile

// Chance is what of a sync is not deterministic, or not known, as its caveats tell.
type Chance struct {
	// MayUpdate: whether it deletes anything, and else updates.
	MayUpdate bool
	// MayFail: whether a refusal comes before other actions.
	MayFail bool
	// NameFirst: whether a name that is taken comes before others.
	NameFirst bool
	// UnsureStatus: whether status counts a pod as ready.
	UnsureStatus bool
	// ManyExpected: which of several expectations is met first.
	ManyExpected bool
	// LooseOrder: the order of the whole update.
	LooseOrder bool
	// Resizes: Pods get new resources by /resize. Resize is why the API server may refuse
	// them; empty for nothing.
	Resizes bool
	Resize  string
	// Doubts are why it is not known whether creations go as predicted.
	Doubts []string
}

// ScaleIn notes whether the scale-in may delete nothing, and the sync update.
func (c *Chance) ScaleIn(may bool) { c.MayUpdate = may }

// UpdateInstead notes that the sync may delete nothing, and update.
func (c *Chance) UpdateInstead(may bool) { c.MayUpdate = c.MayUpdate || may }

// Fail notes that a refusal may come before other actions.
func (c *Chance) Fail(may bool) { c.MayFail = c.MayFail || may }

// MeetName notes whether a name that is taken may come before others.
func (c *Chance) MeetName(may bool) { c.NameFirst = may }

// CountOpened notes that status may count a pod whose gate the sync opened.
func (c *Chance) CountOpened(may bool) { c.UnsureStatus = c.UnsureStatus || may }

// ExpectMany notes that several expectations are not met.
func (c *Chance) ExpectMany() { c.ManyExpected = true }

// OrderLoosely notes whether the order of the update is not known.
func (c *Chance) OrderLoosely(loose bool) { c.LooseOrder = loose }

// Resizing notes that Pods get new resources by /resize.
func (c *Chance) Resizing() { c.Resizes = true }

// DoubtResize notes why new resources may be refused.
func (c *Chance) DoubtResize(why string) { c.Resize = why }

// Doubt notes why creations may go otherwise.
func (c *Chance) Doubt(why []string) { c.Doubts = why }
