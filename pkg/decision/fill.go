package decision

import "slices"

// Filler fills what a Decision has one of. Its methods are not the Decision's: those are
// repeated for each type that embeds one.
type Filler struct{ d *Decision }

// Fill returns the Filler of a Decision.
func Fill(d *Decision) Filler { return Filler{d} }

// Gate notes whether the sync may create and delete.
func (f Filler) Gate(g Gate) { f.d.Gate = g }

// Count notes the arithmetic of replicas.
func (f Filler) Count(of Fact) { f.d.Count = of }

// Status notes what is written into status.
func (f Filler) Status(w StatusWrite) { f.d.Status = w }

// Claims are all verdicts on objects that the controller looked at.
func (f Filler) Claims(all []Claim) { f.d.Claims = all }

// Actions are the first actions; the slice is taken over.
func (f Filler) Actions(all []Action) { f.d.Actions = all }

// After notes the expectations after the sync, and what its caches must hold before the
// next one.
func (f Filler) After(after *Expectation, readBack []Ruling) {
	f.d.Expectations.After, f.d.Expectations.ReadBack = after, readBack
}

// Rollout notes how far the update is.
func (f Filler) Rollout(r *Rollout) { f.d.Rollout = r }

// Sets shows the ReplicaSets of a Deployment.
func (f Filler) Sets(all []Set) { f.d.Sets = all }

// Revisions shows the versions of a template.
func (f Filler) Revisions(all []Revision) { f.d.Revisions = all }

// RoomForUpdates makes room for n updates.
func (f Filler) RoomForUpdates(n int) { f.d.Updates = slices.Grow(f.d.Updates, n) }
