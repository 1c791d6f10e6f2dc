package decision

import "time"

// Standing is how a target fares: in one line, in one word, and why.
type Standing struct {
	// Headline is the first line: object, namespace, state, counts and cause.
	Headline string `json:"headline,omitempty"`
	State    State  `json:"state,omitempty"`
	// Since is since when the causes of the state hold; zero where none tells.
	Since time.Time `json:"since,omitzero"`
	// Cause is the reason in short, as lists have it.
	Cause string `json:"cause,omitempty"`
	// BlockedBy are the causes that end only by a change outside the controller,
	// WaitingFor those that normally end by themselves. Those of Pods come the
	// most frequent first.
	BlockedBy  []Cause `json:"blockedBy,omitempty"`
	WaitingFor []Cause `json:"waitingFor,omitempty"`
	// Stopped reports whether a cause that blocks keeps the controller from doing
	// what is due.
	Stopped bool `json:"-"`
	// Replicas is nil for kinds without.
	Replicas *Replicas `json:"replicas,omitempty"`
	// Next is the command that shows more, or goes on; empty for none.
	Next string `json:"next,omitempty"`
}

// Said reports whether the state says all that an answer would of a target for which
// nothing is done: it has its replicas, or what keeps it from having them is a cause.
func (s *Standing) Said() bool {
	switch {
	case s.State == "" || s.State == StateUnknown:
		return false
	case s.State == StateTerminating || s.Stopped:
		return true
	}
	return s.Replicas != nil && s.Replicas.Current == s.Replicas.Desired && !s.Replicas.Outdated()
}

// Idle reports whether nothing is done about a target though not all is as desired, as
// far as its state is known.
func (d *Decision) Idle() bool {
	switch d.State {
	case "", StateStable, StateUnknown:
		return false
	}
	return !d.Pending && len(d.Refused) == 0
}

// Replicas counts the Pods of a target.
type Replicas struct {
	Desired int `json:"desired"`
	// Current are those that exist and are not being deleted.
	Current   int `json:"current"`
	Ready     int `json:"ready"`
	Available int `json:"available"`
	// Updated are those of the newest revision, and UpdatedDesired how many there
	// are to be; nil for kinds that update none.
	Updated        *int `json:"updated,omitempty"`
	UpdatedDesired *int `json:"updatedDesired,omitempty"`
}

// Complete reports whether all that is desired is there, available, and of the
// revision that is desired.
func (r *Replicas) Complete() bool {
	return r.Current == r.Desired && r.Available >= r.Desired && !r.Outdated()
}

// Outdated reports whether Pods are to be updated.
func (r *Replicas) Outdated() bool {
	return r.Updated != nil && r.UpdatedDesired != nil && *r.Updated < *r.UpdatedDesired
}
