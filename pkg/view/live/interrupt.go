package live

import (
	"fmt"
	"time"
)

// grace is how long a watch may fail before it is worth a word: servers end
// watches every few minutes, and a new one takes a moment.
const grace = 5 * time.Second

// watching is what an informer knows about its watch.
type watching struct {
	readAt time.Time // the latest full read, or the moment the watch broke
	since  time.Time // when the watch broke, zero while it works
	cause  error
	noted  bool // whether the interruption was signalled
	mute   bool // whether it broke by bringing nothing: that it is open again shows nothing
}

// wasRead notes a full read.
func (i *informer) wasRead() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.readAt = i.source.clock.Now()
}

// interrupted notes a failed watch. The informer keeps its last state, and
// client-go keeps trying.
func (i *informer) interrupted(err error) {
	i.mu.Lock()
	now := i.source.clock.Now()
	if i.since.IsZero() {
		i.since = now
	}
	i.cause = err
	signal := !i.noted && now.Sub(i.since) >= grace
	i.noted = i.noted || signal
	i.mu.Unlock()
	if signal {
		i.source.changed()
	}
}

// silent notes a watch that brings neither events nor its end.
func (i *informer) silent(err error) {
	i.interrupted(err)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.mute = true
}

// lasted notes a watch that is still open after a while.
func (i *informer) lasted() {
	i.mu.Lock()
	mute := i.mute
	i.mu.Unlock()
	if !mute {
		i.resumed()
	}
}

// resumed notes a watch that works.
func (i *informer) resumed() {
	i.mu.Lock()
	signal := i.noted
	i.watching = watching{}
	i.mu.Unlock()
	if signal {
		i.source.changed()
	}
}

// interruption says since when and why the state is not kept up to date, if so.
func (i *informer) interruption(now time.Time) (string, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.since.IsZero() || now.Sub(i.since) < grace {
		return "", false
	}
	read := i.since // until then the watch told every change
	if i.readAt.After(read) {
		read = i.readAt
	}
	return fmt.Sprintf("cannot watch %s: %v; what is shown was read %s ago",
		i.need, i.cause, now.Sub(read).Round(time.Second)), true
}

// interruption says what of the state is not kept up to date, in one line.
func (s *Source) interruption() (string, bool) {
	now, message, count := s.clock.Now(), "", 0
	for _, i := range s.informers {
		if m, ok := i.interruption(now); ok && i.synced() {
			if count++; count == 1 {
				message = m
			}
		}
	}
	if count > 1 {
		message += fmt.Sprintf(" (and %d more)", count-1)
	}
	return message, count > 0
}

// Unwatched says why a change of what was read may not be seen right now: a watch
// failed and does not work again. It is nil while all watches work.
func (s *Source) Unwatched() error {
	s.loading.Lock()
	defer s.loading.Unlock()
	for _, i := range s.informers {
		if err := i.unwatched(); err != nil && i.synced() {
			return fmt.Errorf("cannot watch %s: %w", i.need, err)
		}
	}
	return nil
}

// unwatched is why the watch does not work, nil while it does.
func (i *informer) unwatched() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.since.IsZero() {
		return nil
	}
	return i.cause
}
