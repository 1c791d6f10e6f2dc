package decision

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Standing is the state of a target: in one line, in one word, and why.
type Standing struct {
	// Headline is the first line: object, namespace, state, counts and cause.
	Headline string `json:"headline,omitempty"`
	// State is the state of the object.
	State State `json:"state,omitempty"`
	// Since is since when the causes of the state hold; absent where that is not known.
	Since time.Time `json:"since,omitzero"`
	// Cause is the reason in short, as lists have it.
	Cause string `json:"cause,omitempty"`
	// BlockedBy are the causes that end only by a change outside the controller, the most
	// frequent first.
	BlockedBy []Cause `json:"blockedBy"`
	// WaitingFor are the causes that normally end by themselves, the most frequent first.
	WaitingFor []Cause `json:"waitingFor"`
	// StillTerminating are the Pods of a stable target that are being deleted for longer than
	// they should take, or whose node is not ready, and that nothing of the target waits for.
	StillTerminating []Cause `json:"stillTerminating"`
	// Restarting are the Pods of a stable target that are available now, and of which a
	// container ends again and again.
	Restarting []Cause `json:"restarting"`
	// Stopped reports whether a cause that blocks keeps the controller from doing
	// what is due.
	Stopped bool `json:"-"`
	// Replicas are the counts; absent for kinds without replicas.
	Replicas *Replicas `json:"replicas,omitempty"`
	// Next is the command to type next; absent for none.
	Next string `json:"nextCommand,omitempty"`
}

// Add files a cause under those that block, or those that are waited for. Its times
// become those of UTC, as in all answers.
func (s *Standing) Add(c Cause) {
	c.Since, c.BlockedAt = c.Since.UTC(), c.BlockedAt.UTC()
	if c.Blocked {
		s.BlockedBy = append(s.BlockedBy, c)
	} else {
		s.WaitingFor = append(s.WaitingFor, c)
	}
}

// Causes are those that block, behind them those that are waited for, and at last the
// Pods without either of which to tell.
func (s *Standing) Causes() []Cause {
	return slices.Concat(s.BlockedBy, s.WaitingFor, s.Troubled())
}

// Troubled are the Pods of a stable target that lack something, though nothing of the
// target waits for it.
func (s *Standing) Troubled() []Cause { return slices.Concat(s.StillTerminating, s.Restarting) }

// Telling are the causes that explain the state: what is waited for of a stable target with
// replicas does not.
func (s *Standing) Telling() []Cause {
	if s.State == StateStable && s.Replicas != nil {
		return s.Troubled()
	}
	return s.Causes()
}

// said reports whether the state says all that an answer would of a target for which
// nothing is done: it has its replicas, or what keeps it from having them is a cause.
//
//go:noinline // it is called at many places
func (s *Standing) said() bool {
	switch {
	case s.State == "" || s.State == StateUnknown:
		return false
	case s.State == StateTerminating || s.Stopped:
		return true
	}
	return s.Replicas != nil && s.Replicas.Current == s.Replicas.Desired && !s.Replicas.Outdated()
}

// Said reports whether the state says all that an answer would, and later syncs delete
// nothing either.
func (d *Decision) Said() bool {
	return len(d.DeletionHeld) == 0 && d.said()
}

// Stuck reports whether rounds do nothing about a target, since it is blocked or waits for what
// blocks it if it stays so: the first line is that of its state, as in a plan without rounds.
func (d *Decision) Stuck() bool {
	t := d.Timeline
	return t != nil && t.End.Outcome == Blocked && len(t.Rounds) == 0 && d.Cause != "" && (d.State == StateBlocked || d.State == StateProgressing)
}

// Idle reports whether nothing is done about a target, or what is due without a change of
// it can't be, though not all is as desired or a Pod is not removed or restarts, as far as its
// state is known.
func (d *Decision) Idle() bool {
	switch d.State { //exhaustive:enforce
	case "", StateUnknown:
		return false
	case StateStable:
		return len(d.Troubled()) > 0 && !d.Pending
	case StateReconciling, StateProgressing, StateBlocked, StateTerminating:
	}
	return (!d.Pending || d.Stopped && len(d.WhatIf) == 0) && len(d.Refused) == 0
}

// Stays reports whether a target is blocked, and nothing is done about it: then the plan
// ends where it begins.
func (d *Decision) Stays() bool { return d.State == StateBlocked && d.Idle() }

// Replicas counts the Pods of a target.
type Replicas struct {
	// Desired is spec.replicas.
	Desired int `json:"desired"`
	// Current are those that exist and are not being deleted.
	Current int `json:"current"`
	// Ready are those that are ready.
	Ready int `json:"ready"`
	// Available are those that are ready for minReadySeconds.
	Available int `json:"available"`
	// Updated are those of the newest revision; absent for kinds that update none.
	Updated *int `json:"updated,omitempty"`
	// UpdatedDesired is how many of the newest revision there are to be; absent for kinds
	// that update none.
	UpdatedDesired *int `json:"updatedDesired,omitempty"`
}

// Complete reports whether all that is desired is there, available, and of the
// revision that is desired.
//
//go:noinline // it is called at many places
func (r *Replicas) Complete() bool {
	return r.Current == r.Desired && r.Available >= r.Desired && !r.Outdated()
}

// Outdated reports whether Pods are to be updated.
func (r *Replicas) Outdated() bool {
	return r.Updated != nil && r.UpdatedDesired != nil && *r.Updated < *r.UpdatedDesired
}

// unschedulable is the reason of a Pod for which there is no room.
const unschedulable = "Unschedulable"

// Today says how many Pods are Unschedulable before anything is done, as there may be no
// room for those that replace them, either; and, where their template stays as it is, or rounds
// end with them, how many others are blocked, by what. It is empty for none.
func (d *Decision) Today() string {
	n, others, causes := 0, 0, []string(nil)
	for _, c := range d.Causes() {
		switch {
		case c.Pod == nil:
		case c.Reason == unschedulable:
			n++
		case c.Blocked && (!d.templates() || d.Timeline != nil && d.Timeline.Lacking[c.Object.Name]):
			others++
			if !slices.Contains(causes, c.Label) {
				causes = append(causes, c.Label)
			}
		}
	}
	text := ""
	switch n {
	case 0:
	case 1:
		text = " 1 Pod is Unschedulable today."
	default:
		text = fmt.Sprintf(" %d Pods are Unschedulable today.", n)
	}
	switch others {
	case 0:
		return text
	case 1:
		return text + " 1 Pod is blocked today: " + causes[0] + "."
	}
	return text + fmt.Sprintf(" %d Pods are blocked today: %s.", others, strings.Join(causes, ", "))
}

// templates reports whether the plan changes what Pods are made of.
func (d *Decision) templates() bool { return d.sets("spec.template") }

// sets reports whether the plan changes a field, or one in it.
func (d *Decision) sets(path string) bool {
	return slices.ContainsFunc(d.WhatIf, func(c Change) bool { return c.Path == path || strings.HasPrefix(c.Path, path+".") })
}

// Withholds reports whether the partition keeps Pods from the change of the plan: it changes
// what Pods are made of, or the partition itself, and does nothing.
func (d *Decision) Withholds() bool {
	return d.Rollout != nil && d.Rollout.Kept > 0 && !d.Rollout.Doubted && !d.Doubted &&
		(d.templates() || len(d.Actions) == 0 && d.sets("spec.updateStrategy.partition"))
}
