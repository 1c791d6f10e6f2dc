package trace

import "time"

// maxSteps bounds what is done on the way to a later instant. Who feeds the
// engine does so at each moment that nextMoment names: if there are that many in
// between, the process stood still, and all that was due is done at its end.
const maxSteps = 500

// pacing is when time alone brings something about.
type pacing struct {
	// fed is when the engine was last told anything.
	nextTick, fed time.Time
}

// rarer is by how much ticks become rarer while nothing is fed: the next one
// comes after a sixteenth of that time.
const rarer = 16

// advance moves the clock, and does at each moment on the way what is due then.
func (e *Engine) advance(to time.Time) {
	for steps := 0; e.running; steps++ {
		at := e.nextDue()
		if at.IsZero() || at.After(to) {
			break
		}
		if steps >= maxSteps {
			at = to
		}
		e.step(latest(at, e.clock.Now()))
		if steps >= maxSteps {
			break
		}
	}
	if to.After(e.clock.Now()) {
		e.clock.SetTime(to)
	}
}

// step does what is due at an instant.
func (e *Engine) step(at time.Time) {
	e.clock.SetTime(at)
	for _, c := range e.controllers {
		c.queue.release()
	}
	e.drain()
	if !e.nextTick.After(e.clock.Now()) {
		e.tick()
	}
}

// hears notes that the engine was told something: what time changes is looked
// at every second again.
func (e *Engine) hears() {
	e.fed = e.clock.Now()
	if next := e.fed.Truncate(tick).Add(tick); next.Before(e.nextTick) {
		e.nextTick = next
	}
}

// pause is how long it is until the next tick.
func (e *Engine) pause() time.Duration {
	return max(tick, (e.clock.Since(e.fed) / rarer).Truncate(tick))
}

// nextDue is the next moment at which something happens without an event.
func (e *Engine) nextDue() time.Time {
	var first time.Time
	for _, c := range e.controllers {
		if at := c.queue.next(); !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if len(e.watched)+len(e.early) > 0 {
		e.nextTick = latest(e.nextTick, e.clock.Now().Truncate(tick))
		if first.IsZero() || e.nextTick.Before(first) {
			first = e.nextTick
		}
	}
	return first
}

// nextMoment is when the engine has something to do without an event: feed it
// time by then. Zero when there is nothing.
func (e *Engine) nextMoment() time.Time {
	if !e.running {
		return time.Time{}
	}
	return e.nextDue()
}
