package decision

// Doubt makes possible what is certain, because all of it depends on something
// that may not happen: the caveat says on what.
func (d *Decision) Doubt(why Caveat) {
	d.Doubted = true
	d.AddCaveat(why.Code, why.Message)
	for i := range d.Actions {
		d.Actions[i].Certainty = Possible
	}
	s := &d.Summary
	s.DeletePossible, s.PossibleAmong, s.DeleteCertain = s.DeletePossible+s.DeleteCertain, s.PossibleAmong+s.DeleteCertain, 0
}
