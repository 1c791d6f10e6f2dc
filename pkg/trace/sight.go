package trace

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// How long a watch may keep quiet.
const (
	// watchFor is the timeoutSeconds of a watch. A server that is well ends it
	// then, and sends a bookmark shortly before, if it sends any
	// (nextBookmarkTime of apiserver's storage/cacher/cache_watcher.go, v0.37.1): either
	// shows that every change before was delivered.
	watchFor = 45 * time.Second
	// confirmFor is the timeoutSeconds of a watch that has to show that soon.
	confirmFor = 3 * time.Second
	// overdue is how long a watch may bring nothing at all after it was to end.
	overdue = 10 * time.Second
	// answerWithin is how long a request may go unanswered, cancelAfter when it is
	// sent again. The client obeys a Retry-After of the server, however long.
	answerWithin, cancelAfter = 5 * time.Second, 30 * time.Second
	// reconnect is how long a watch that was cut off may take to work again
	// before that is worth a word: load balancers and restarts cut watches.
	reconnect = 5 * time.Second
	// early is how much sooner than asked a watch may end in time.
	early = 500 * time.Millisecond
)

// sight knows what of one feed is visible: since when it is broken, if it is,
// and until when all changes are known to be delivered. Its zero times mean
// never. All of its methods may be called at any time.
type sight struct {
	clock clock.PassiveClock

	mu sync.Mutex
	// asked is when a request was sent that has no answer yet; cancel ends it.
	asked  time.Time
	cancel func()
	// open numbers the watch that is open. began is when that was asked for, to
	// last for lasts.
	open  int
	began time.Time
	lasts time.Duration
	// heard is when a watch last brought anything; stop ends the open one.
	heard time.Time
	stop  func()
	// ended: the last watch ended in time, and so had delivered everything.
	ended time.Time
	// since is when the feed was last known to work, while it does not.
	since time.Time
	cause string
	// cut: it was cut off, which passes within a moment as a rule.
	cut bool
	// confirmed is until when everything is delivered. hurry: the next watch has
	// to show soon that it delivers.
	confirmed time.Time
	hurry     bool
	backlog
}

func newSight(c clock.PassiveClock) *sight {
	return &sight{clock: c, backlog: backlog{freed: make(chan struct{}, 1)}}
}

// sends notes a request.
func (s *sight) sends(cancel func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.cancel = s.clock.Now(), cancel
}

// progresses notes a part of its answer: a list may have many pages.
func (s *sight) progresses() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asked.IsZero() {
		s.asked = s.clock.Now()
	}
}

// answered notes its answer.
func (s *sight) answered(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.cancel = time.Time{}, nil
	if err != nil {
		s.fail(s.clock.Now(), reasonOf(err))
	}
}

// fail notes that the feed does not work since an instant.
func (s *sight) fail(since time.Time, cause string) {
	if s.since.IsZero() {
		s.since = since
	}
	s.cause, s.cut, s.hurry = cause, false, true
}

// lasting is how long the next watch shall last.
func (s *sight) lasting() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hurry {
		return confirmFor
	}
	return watchFor
}

// opens notes a watch that the server accepted, and numbers it.
func (s *sight) opens(asked time.Time, lasts time.Duration, stop func()) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	s.began, s.lasts, s.heard, s.stop = asked, lasts, s.clock.Now(), stop
	return s.open
}

// hears notes that a watch brought something.
func (s *sight) hears() (at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = s.clock.Now()
	return s.heard
}

// failed notes that a watch brought an error, which ends it.
func (s *sight) failed(n int, cause string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n == s.open {
		s.fail(s.clock.Now(), cause)
		s.open++
		s.stop = nil
	}
}

// closes notes the end of a watch.
func (s *sight) closes(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n != s.open {
		return
	}
	now, asked := s.clock.Now(), s.stop == nil
	s.stop = nil
	switch {
	case now.Sub(s.began) >= s.lasts-early:
		s.ended = now
	case !asked && s.since.IsZero():
		s.fail(now, "it was cut off")
		s.cut = true
	}
}

// inTime is when the last watch ended as it should, once.
func (s *sight) inTime() (at time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, s.ended = s.ended, time.Time{}
	return at, !at.IsZero()
}

// confirm notes that everything before an instant was delivered and fed.
func (s *sight) confirm(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.confirmed = latest(s.confirmed, at)
	if s.since.IsZero() || at.After(s.since) {
		s.since, s.cause, s.cut, s.hurry = time.Time{}, "", false, false
	}
}

// until is when everything before was delivered. A feed that has not shown that
// for an instant is asked to show it soon.
func (s *sight) until(want time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.confirmed.Before(want) && s.lasts > confirmFor && s.clock.Since(s.began) > confirmFor {
		s.hurry = true
		s.end()
	}
	return s.confirmed
}

// end stops the open watch, if there is one: the reflector opens another.
func (s *sight) end() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// blind is why nothing is visible, and since when. A request without an answer
// and a watch that is silent count; both are tried again.
func (s *sight) blind() (cause string, since time.Time, blind bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	switch waits := now.Sub(s.asked); {
	case !s.asked.IsZero() && waits >= answerWithin:
		s.fail(s.asked, fmt.Sprintf("no answer for %s", waits.Truncate(time.Second)))
		if waits >= cancelAfter && s.cancel != nil {
			s.cancel()
		}
	case s.stop != nil && now.Sub(latest(s.heard, s.began.Add(s.lasts))) >= overdue:
		s.fail(s.heard, fmt.Sprintf("neither an event nor a bookmark for %s", now.Sub(s.heard).Truncate(time.Second)))
		s.end()
	}
	if s.since.IsZero() || s.cut && now.Sub(s.since) < reconnect {
		return "", time.Time{}, false
	}
	return s.cause, s.since, true
}
