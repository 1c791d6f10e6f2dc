package cli

import (
	"errors"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// The exit statuses. Of several answers the highest wins.
const (
	exitNothing = 0
	exitPending = 1
	// exitError is no answer, a partial one, or one that is not known.
	exitError   = 2
	exitBlocked = 3
)

// The ends of a command whose --exit-code was asked for. They are no errors to print.
var (
	errPending = errors.New("something is pending")
	errUnknown = errors.New("a state is not known")
	errBlocked = errors.New("something is blocked")
)

// ExitStatus is the exit status for what a command returned, and the text to
// print for it, empty when there is none.
func ExitStatus(err error) (int, string) {
	switch {
	case err == nil:
		return exitNothing, ""
	case errors.Is(err, errBlocked):
		return exitBlocked, besides(err)
	case errors.As(err, new(timeUp)):
		return exitPending, errorText(err)
	case errors.Is(err, errPending):
		return exitPending, ""
	case errors.Is(err, errRefused), errors.Is(err, errUnknown):
		return exitError, ""
	default:
		return exitError, errorText(err)
	}
}

// besides are the errors of other objects than the blocked ones, empty for none.
func besides(err error) string {
	others := slices.DeleteFunc(eachOf(err), func(e error) bool { return errors.Is(e, errBlocked) || errors.Is(e, errRefused) })
	if len(others) == 0 {
		return ""
	}
	return errorText(failures(others))
}

// outcome is what --exit-code makes of an answer.
type outcome struct {
	// exit is one of the statuses.
	exit int
	// unread names what was not read and could change the answer.
	unread []string
	err    error
	// refused reports whether a what-if would not be stored.
	refused bool
}

// ending is the error with which a command ends.
func (f *outputFlags) ending(o outcome) error {
	if o.err == nil && o.refused {
		o.err = errRefused
	}
	switch {
	case f.exitCode && o.exit == exitBlocked:
		return errors.Join(o.err, errBlocked)
	case o.err != nil:
		return o.err
	case f.exitCode && f.lacks(o.unread):
		return partialError(o.unread)
	case f.exitCode && o.exit == exitError:
		return errUnknown
	case f.exitCode && o.exit == exitPending:
		return errPending
	}
	return nil
}

// pendingExit is the status of an answer that tells no states.
func pendingExit(pending bool) int {
	if pending {
		return exitPending
	}
	return exitNothing
}

// exitOf is the status of a decision: an explanation's is that of its state, a
// plan's that of where it ends.
func (f *outputFlags) exitOf(kind string, d *decision.Decision) int {
	exit := planExit(d)
	if kind == render.ExplanationKind {
		exit = explainExit(d)
	}
	return f.sure(exit, d.Partial)
}

// sure is the status of an answer that may be partial: without what was not read it may
// not be blocked, and a pipeline undoes what is.
func (f *outputFlags) sure(exit int, partial bool) int {
	if exit == exitBlocked && partial && !f.allowPartial {
		return exitError
	}
	return exit
}

func explainExit(d *decision.Decision) int {
	if d.State == "" {
		return pendingExit(pending(d))
	}
	return stateExit(d.State)
}

// stateExit is the status of a state.
func stateExit(s decision.State) int {
	switch s { //exhaustive:enforce
	case decision.StateStable:
		return exitNothing
	case decision.StateReconciling, decision.StateProgressing, decision.StateTerminating:
		return exitPending
	case decision.StateBlocked:
		return exitBlocked
	case decision.StateUnknown:
		return exitError
	}
	return exitError
}

// planExit is the status of a plan. One whose rounds end so is blocked, and so is
// a next sync that can't do what is due, leads to nothing but refusals, or does nothing
// about a target that is blocked. One that deletes a Pod of --keep is not to be gone on with
// either. What later syncs delete for a what-if is predicted, also where this one waits.
func planExit(d *decision.Decision) int {
	switch t := d.Timeline; {
	case d.Loses():
		return exitBlocked
	case t != nil && t.End.Outcome == decision.Blocked, t == nil && d.Stays():
		return exitBlocked
	case t == nil && d.BelowRefused && d.Summary.Total.Certain.PodsDeleted+d.Summary.Total.Possible.PodsDeleted == 0:
		return exitBlocked
	case d.Stopped && (t == nil || len(leaders(d)) > 0):
		return exitBlocked
	}
	return pendingExit(pending(d) || len(d.WhatIf) > 0 && d.Summary.Total.Later != decision.Toll{})
}

// leaders are the causes that no leader is active to do what is due.
func leaders(d *decision.Decision) (all []decision.Cause) {
	for _, c := range d.BlockedBy {
		if c.Reason == lease.NoLeader {
			all = append(all, c)
		}
	}
	return all
}

// highest is that of all.
func (f *outputFlags) highest(kind string, ds []*decision.Decision) int {
	exit := exitNothing
	for _, d := range ds {
		exit = max(exit, f.exitOf(kind, d))
	}
	return exit
}
