package trace

import (
	"context"
	"time"
)

const (
	// mostBehind bounds what events of a feed take that wait in its queue, about.
	mostBehind = 256 << 20
	// perMark is how much is queued without a mark.
	perMark = 16 << 20
)

// backlog is about what events take that are queued and not taken in. A trace that prints to
// somebody who does not read takes nothing in, while the server goes on.
type backlog struct {
	// unmarked is what was queued since the last mark, waiting that and all before it.
	unmarked, waiting int64
	// freed hears that something was taken in.
	freed chan struct{}
}

// passes notes an event that is queued, and reports whether it is time for a mark.
func (s *sight) passes(bytes int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unmarked += bytes
	s.waiting += bytes
	return s.unmarked >= perMark
}

// marks makes the mark behind everything that was queued so far.
func (s *sight) marks(at time.Time) *mark {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := newMark(at, s.unmarked)
	s.unmarked = 0
	return m
}

// takes notes that everything before a mark was taken in. A list that comes while it is
// queued hands it out a second time.
func (s *sight) takes(m *mark) {
	s.mu.Lock()
	s.waiting -= m.bytes
	m.bytes = 0
	s.mu.Unlock()
	select {
	case s.freed <- struct{}{}:
	default: // it has heard
	}
	if !m.at.IsZero() {
		s.confirm(m.at)
	}
}

// pause waits while too much is queued: the server keeps the rest, or ends a watch that
// does not read, and then lists show what is missed. It reports whether to go on.
func (s *sight) pause(ctx context.Context) bool {
	for s.isBehind() {
		select {
		case <-s.freed:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (s *sight) isBehind() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting > mostBehind
}
