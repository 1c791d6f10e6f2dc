package decision

import "slices"

// Listed returns a copy of the Decision for programs, in which the lists that they go
// over are there when they are empty.
func (d *Decision) Listed() *Decision {
	out := *d
	out.Standing = d.listedStanding()
	out.Owners, out.Caveats = List(d.Owners), List(d.Caveats)
	out.Actions, out.Claims = List(d.Actions), List(d.Claims)
	out.Follows = List(slices.Clone(d.Follows))
	for i := range out.Follows {
		e := &out.Follows[i]
		e.Actions, e.Caveats = List(e.Actions), List(e.Caveats)
	}
	if d.Status.Rule != "" {
		out.Status.Fields = List(d.Status.Fields)
	}
	return &out
}

// listedStanding is as Listed of a Decision.
func (s Standing) listedStanding() Standing {
	s.BlockedBy, s.WaitingFor, s.StillTerminating = List(s.BlockedBy), List(s.WaitingFor), List(s.StillTerminating)
	s.Restarting = List(s.Restarting)
	return s
}

// Listed is as of a Decision.
func (r *PodReport) Listed() *PodReport {
	out := *r
	out.Standing = r.listedStanding()
	out.Owners, out.Caveats = List(r.Owners), List(r.Caveats)
	return &out
}

// List is never nil: JSON has [] for an empty list, not null.
func List[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
