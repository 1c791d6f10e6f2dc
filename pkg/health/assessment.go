package health

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Assessment is what a plugin finds out about its target.
type Assessment struct {
	// Deleting: the target itself is being deleted.
	Deleting bool
	// Replicas is nil for kinds without.
	Replicas *decision.Replicas
	// Causes are why it is not as desired, what counts most first.
	Causes []decision.Cause
	// Undone: something is left to do of which Replicas do not tell.
	Undone bool
	// Unobserved: the controller has not observed the target's generation, as a cause says.
	// Then its next sync writes status at least.
	Unobserved bool
	// Unread: something was not read that would decide.
	Unread bool
	// Forbidden is the resource that the user may not list and that would decide; empty for none.
	Forbidden string
	// Collected is that the garbage collector deletes the target, nil where it does not.
	Collected *decision.Cause
	// Before are Pods that it makes, of which volume claims name an earlier one as their owner:
	// those that are missing have no UID.
	Before []decision.Ref
	// Besides is what others do to objects that only seem to be the target's, and
	// BesidesNext the command that shows more of it.
	Besides     []string
	BesidesNext string
	// Adopted is what adopts the target and makes of it, the longest text first; none where
	// nothing does.
	Adopted []string
	// Note is added to the first line of a stable target, such as that it is paused.
	Note string
}

// Settle draws the state of a decision's target, and the first line, from what was
// found out. What is not known makes the state Unknown, never a better one.
func (a Assessment) Settle(d *decision.Decision) {
	s := decision.Standing{Replicas: a.Replicas}
	if a.Collected != nil {
		s.Add(*a.Collected)
	}
	for _, c := range a.Causes {
		s.Add(c)
	}
	s = a.spare(d, s)
	s.BlockedBy = a.replacedLast(s.BlockedBy)
	s.Stopped = slices.ContainsFunc(s.BlockedBy, stopping)
	s.State = a.state(d, s)
	if s.State == decision.StateStable {
		s.WaitingFor, s.Restarting = parted(s.WaitingFor)
	}
	counting := a.counted(s)
	if s.State == decision.StateReconciling && !d.Pending {
		counting = s.WaitingFor
	}
	s.Since, s.Next = earliest(counting), cmp.Or(next(counting), a.BesidesNext)
	switch can := CanList(a.Forbidden, d.Target.Namespace); {
	case a.hidden(s):
		s.Next = cmp.Or(s.Next, can)
		d.MarkPartial()
	case a.Forbidden != "" && s.State == decision.StateBlocked && !slices.ContainsFunc(s.BlockedBy, explains):
		s.Next = can
	}
	d.Stand(s) // which the sentences read
	if s.Next == "" && s.State == decision.StateReconciling {
		s.Next = next(foremost(d))
	}
	s.Cause = a.cause(d, counting, longest)
	if s.Headline = headline(d, a.cause(d, counting, room(d))); d.Partial {
		s.Headline += decision.PartialAnswer
	}
	d.Stand(s)
}

// Waits reports whether more syncs have to come until the target is as desired.
func (a Assessment) Waits() bool {
	return !a.Deleting && (a.Undone || len(a.Causes) > 0 || a.Replicas != nil && !a.Replicas.Complete())
}

// CanList is the command that shows whether this user may list a resource in a namespace.
func CanList(resource, namespace string) string {
	return fmt.Sprintf("kubectl auth can-i list %s -n %s", resource, namespace)
}

// explains reports whether a cause is more than that a deadline has passed.
func explains(c decision.Cause) bool { return Class(c.Class) != Deadline }

// hidden reports whether the state is not known because something is forbidden.
func (a Assessment) hidden(s decision.Standing) bool {
	return a.Forbidden != "" && s.State == decision.StateUnknown
}

// spare takes the Pods that are not removed, and those that failed before, from what blocks,
// where the target is stable without them: all that is desired is there, and nothing waits for
// them to be gone.
func (a Assessment) spare(d *decision.Decision, s decision.Standing) decision.Standing {
	without := s
	without.BlockedBy, without.StillTerminating = nil, nil
	for _, c := range s.BlockedBy {
		switch {
		case Class(c.Class) == FailedBefore:
		case notRemoved(c):
			without.StillTerminating = append(without.StillTerminating, c)
		default:
			without.BlockedBy = append(without.BlockedBy, c)
		}
	}
	if a.Replicas == nil || a.state(d, without) != decision.StateStable {
		return s
	}
	without.WaitingFor = nil
	for _, c := range s.WaitingFor {
		switch {
		case Class(c.Class) == FailedBefore:
		case Class(c.Class) == Deletion && c.Root: // no kubelet confirms it
			without.StillTerminating = append(without.StillTerminating, c)
		default:
			without.WaitingFor = append(without.WaitingFor, c)
		}
	}
	return without
}

// replacedLast puts the Pods that are not removed behind the others, where all Pods are there
// without them, and what is wrong with another one can't follow from the node that one is on.
func (a Assessment) replacedLast(causes []decision.Cause) []decision.Cause {
	if a.Replicas == nil || a.Replicas.Current < a.Replicas.Desired || !slices.ContainsFunc(causes, ofTemplate) {
		return causes
	}
	var rest, last []decision.Cause
	behind := 0
	for _, c := range causes {
		if notRemoved(c) {
			c.Root = false
			last = append(last, c)
		} else if rest = append(rest, c); c.Pod != nil {
			behind = len(rest)
		}
	}
	return slices.Insert(rest, behind, last...)
}

// notRemoved reports whether a cause is a Pod that is being deleted, and nothing waits for it to be
// gone.
func notRemoved(c decision.Cause) bool { return Class(c.Class) == Deletion && c.Pod != nil && !c.Stops }

// ofTemplate reports whether what is wrong with a Pod lies in its template, or in what that names.
func ofTemplate(c decision.Cause) bool {
	return c.Pod != nil && slices.Contains([]Class{ConfigMissing, CrashLoop, ImageRefused}, Class(c.Class))
}

// parted parts what is waited for from the Pods that restart while they are available.
func parted(waits []decision.Cause) (others, restarting []decision.Cause) {
	for _, c := range waits {
		if Class(c.Class) == Flapping {
			restarting = append(restarting, c)
		} else {
			others = append(others, c)
		}
	}
	return others, restarting
}

func (a Assessment) state(d *decision.Decision, s decision.Standing) decision.State {
	switch {
	case a.Deleting:
		return decision.StateTerminating
	case a.Collected != nil:
		return decision.StateReconciling
	case s.Stopped:
		return decision.StateBlocked
	case d.Pending:
		return decision.StateReconciling
	case len(s.BlockedBy) > 0:
		return decision.StateBlocked
	case a.Unread:
		return decision.StateUnknown
	case a.Unobserved && !slices.ContainsFunc(s.WaitingFor, others):
		return decision.StateReconciling
	case a.Replicas == nil && len(s.WaitingFor) == 0:
		return decision.StateStable
	case a.Replicas != nil && a.Replicas.Complete() && !a.Undone && !slices.ContainsFunc(s.WaitingFor, stopping):
		return decision.StateStable
	case len(s.WaitingFor) > 0:
		return decision.StateProgressing
	}
	return decision.StateUnknown
}

func stopping(c decision.Cause) bool { return c.Stops }

// NotObserved is the reason of a generation that is not observed.
const NotObserved = "GenerationNotObserved"

// others reports whether a cause is another one than that.
func others(c decision.Cause) bool { return c.Reason != NotObserved }

// counted are the causes that make the state.
func (a Assessment) counted(s decision.Standing) []decision.Cause {
	if a.Collected != nil {
		return []decision.Cause{*a.Collected}
	}
	switch s.State { //exhaustive:enforce
	case decision.StateBlocked:
		return s.BlockedBy
	case decision.StateStable:
		return s.Troubled()
	case decision.StateReconciling:
		return nil
	case decision.StateTerminating:
		return s.Causes()
	case decision.StateProgressing, decision.StateUnknown:
	}
	return s.WaitingFor
}

// next is the first command that a cause has.
func next(causes []decision.Cause) (command string) {
	for _, c := range causes {
		switch {
		case c.Replaced:
			command = cmp.Or(command, c.Next)
		case c.Next != "":
			return c.Next
		}
	}
	return command
}

// earliest is the first instant of several causes, zero where none tells one.
func earliest(causes []decision.Cause) time.Time {
	var at time.Time
	for _, c := range causes {
		if !c.Since.IsZero() && (at.IsZero() || c.Since.Before(at)) {
			at = c.Since
		}
	}
	return at
}

// Unassessed is the assessment of a target whose controller offers none: what its
// next sync does is known, and nothing else.
func Unassessed() Assessment { return Assessment{Unread: true} }
