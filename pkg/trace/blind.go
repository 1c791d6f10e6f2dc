package trace

import (
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// watching is what is known of the watches.
type watching struct {
	// blind is since when a watch is broken, seeing since when none is.
	blind, seeing time.Time
	// confirmed is until when every change was fed, wants until when that has to
	// be known.
	confirmed, wants time.Time
}

// loseSight says that a watch is broken, regainSight that none is any more: while events
// do not arrive, nobody can be called late.
func (e *Engine) loseSight(at time.Time, why string) {
	e.advance(at)
	e.hears()
	e.blind = at
	e.emit(&entry.Entry{Type: entry.Note, Message: why})
}

// regainSight ends loseSight.
func (e *Engine) regainSight(at time.Time) {
	e.advance(at)
	e.hears()
	e.blind, e.seeing = time.Time{}, at
	e.emit(&entry.Entry{Type: entry.Note, Message: "watching again: every change is visible. No controller is called late before " +
		at.Add(settling+patience).UTC().Format(time.TimeOnly) + "."})
}

// noteGap sees that a kind was listed again, because its watch could not go on
// where it was: what happened in between is not known one by one.
func (e *Engine) noteGap(d Delta) {
	if d.Type != cache.Replaced || d.Initial || !e.running {
		return
	}
	if now := e.clock.Now(); now.Sub(e.seeing) > tick {
		e.emit(&entry.Entry{Type: entry.Note, Message: d.Kind.Resource + " were listed again: some of their events are missing"})
	}
	e.seeing = e.clock.Now()
}

// shaken reports whether events were missing not long before an instant. The
// real controllers lost their watches as well, and for some time act on what
// they knew before.
func (e *Engine) shaken(at time.Time) bool {
	return !e.blind.IsZero() || !e.seeing.Equal(e.o.Start) && at.Before(e.seeing.Add(settling))
}

// settlingAfter is nothing for a trace that never lost its watches.
func settlingAfter(e *Engine) time.Duration {
	if e.seeing.Equal(e.o.Start) {
		return 0
	}
	return settling
}

// confirm says that every change before an instant was fed.
func (e *Engine) confirm(at, until time.Time) {
	e.advance(at)
	e.hears()
	e.confirmed = latest(e.confirmed, until)
	if !e.confirmed.Before(e.wants) {
		e.wants = time.Time{}
	}
}

// sure reports whether every change before an instant was fed. If that is not
// known it is asked for: a watch that is silent may hide just what is missed.
func (e *Engine) sure(before time.Time) bool {
	if !e.o.Confirmed || !e.confirmed.Before(before) {
		return true
	}
	e.wants = latest(e.wants, before)
	return false
}
