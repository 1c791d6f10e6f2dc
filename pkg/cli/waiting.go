package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

const (
	// outage is how long a wait goes on without a current answer: an API server may
	// restart meanwhile.
	outage = 2 * time.Minute
	// moment is how long a state may be Unknown of which something can't be read: what
	// several watches show may not fit together for a while.
	moment = 5 * time.Second
)

// waiting is one wait for some objects.
type waiting struct {
	session
	env     Env
	timeout *time.Duration
	display waitDisplay
	// reopen opens the cluster anew.
	reopen func(context.Context) (*opened, error)
	// last is the latest sight in which there were current answers; doubted is since when
	// there is none that can be relied on, zero while there is.
	last    sight
	doubted time.Time
	// assumed is whether it was said which version is taken for granted.
	assumed bool
}

// sight is what was seen of the objects at one instant.
type sight struct {
	decisions []*decision.Decision
	// err is why there is no answer about all of them.
	err error
	// lost is a read that failed for good and could change an answer; blind is why a
	// change may not be seen.
	lost, blind error
	// unreadable are all reads that failed for good, those that only explain an answer
	// among them.
	unreadable []string
}

// verdict is what a sight means for the wait.
type verdict int

const (
	goesOn verdict = iota
	allStable
	oneBlocked
	failing
)

// run looks again and again, until the wait is over.
func (w *waiting) run(ctx context.Context) error {
	for first := true; ; first = false {
		began := w.env.Clock.Now()
		s := see(ctx, &w.session)
		if !first && s.stable() || s.blocked() {
			s, first = w.afresh(ctx), false
		}
		if ctx.Err() != nil {
			return w.stop(ctx)
		}
		if len(s.decisions) > 0 && s.blind == nil {
			w.last = s
			w.assume()
		}
		switch v, err := w.judge(s, first); v {
		case allStable:
			return errors.Join(w.display.close(), w.display.say(s.decisions, false))
		case oneBlocked:
			return errors.Join(w.conclude(s.decisions), errBlocked, s.err)
		case failing:
			return errors.Join(w.display.close(), w.display.say(w.last.decisions, false), err)
		default:
			w.hush()
			if err := w.display.show(w.last.decisions, err); err != nil {
				return err
			}
		}
		w.pause(ctx, w.env.Clock.Since(began))
	}
}

// assume says once which version is taken for granted: neither a line of progress
// nor a state has a place for it.
func (w *waiting) assume() {
	if !w.assumed {
		warnOfVersion(w.env, assumedOf(w.last.decisions))
	}
	w.assumed = true
}

// afresh reads everything anew: that nothing is seen of a watch may be because nothing
// changes, or because its connection is dead. A watch that lags behind another may show
// what was never so, such as a quota that is used up by a Pod that is not there yet.
func (w *waiting) afresh(ctx context.Context) sight {
	if w.doubted.IsZero() {
		w.doubted = w.env.Clock.Now() // until there is an answer
	}
	o, err := w.reopen(ctx)
	if err != nil {
		return sight{err: err}
	}
	defer o.Close()
	again := w.session
	again.opened = o
	return see(ctx, &again)
}

// see decides about the objects of a session as they are now.
func see(ctx context.Context, w *session) sight {
	settled, err := w.decide(ctx)
	s := sight{err: err, blind: w.server.Unwatched()}
	if apierrors.IsForbidden(s.blind) {
		s.blind = fmt.Errorf("%w; wait takes the verb watch beside list", s.blind)
	}
	if err != nil {
		return s
	}
	s.decisions, s.err = settled.Value().decisions, settled.Value().failed.orNil()
	s.note(settled.Value().readers)
	if len(s.decisions) == 0 && s.err == nil {
		s.err = errors.New(strings.TrimSuffix(w.nothing(), ".") + ": there is nothing to wait for")
	}
	return s
}

// judge draws the verdict, with what keeps it from another one.
func (w *waiting) judge(s sight, first bool) (verdict, error) {
	doubt := s.doubt()
	switch {
	case s.blocked():
		return oneBlocked, nil
	case slices.ContainsFunc(s.decisions, in(decision.StateTerminating)):
		return failing, beingDeleted(s.decisions)
	case doubt == nil:
		w.doubted = time.Time{}
		if s.stable() {
			return allStable, nil
		}
		return goesOn, nil
	}
	now := w.env.Clock.Now()
	if w.doubted.IsZero() {
		w.doubted = now
	}
	waited := now.Sub(w.doubted)
	switch {
	case first && s.err != nil, s.lost != nil, lasts(doubt), errors.As(doubt, new(notKnown)) && len(s.unreadable) > 0 && waited >= moment:
		return failing, doubt
	case waited >= outage:
		return failing, fmt.Errorf("no current answer for %s: %w", outage, doubt)
	}
	return goesOn, doubt
}

// stable reports whether all objects are, for sure.
func (s sight) stable() bool {
	return s.doubt() == nil && !slices.ContainsFunc(s.decisions, not(in(decision.StateStable)))
}

// blocked reports whether an object is, whatever it is that was not read of others.
func (s sight) blocked() bool { return s.blind == nil && slices.ContainsFunc(s.decisions, stuck) }

// doubt is why a sight can't be relied on, nil where it can.
func (s sight) doubt() error {
	unread := unreadOf(s.decisions)
	switch {
	case s.blind != nil && utilnet.IsConnectionRefused(s.err):
		return s.blind // what was told when the server went away
	case s.err != nil:
		return s.err
	case len(unread) > 0:
		return fmt.Errorf("partial answer: %s", someOf(unread))
	case s.blind != nil:
		return s.blind
	}
	for _, d := range s.decisions {
		if d.State == decision.StateUnknown {
			return notKnown{errors.New(strings.Join(append([]string{sentence(d)}, firstOf(unique(s.unreadable))...), "; "))}
		}
	}
	return nil
}

// notKnown is the doubt about an Unknown state.
type notKnown struct{ error }

func firstOf(texts []string) []string { return texts[:min(len(texts), few)] }

// note notes the reads that failed for good.
func (s *sight) note(readers []*view.Reader) {
	for _, r := range readers {
		for _, read := range r.Asked() {
			if !lasts(read.Err) {
				continue
			}
			s.unreadable = append(s.unreadable, read.Err.Error())
			if read.Partial() && s.lost == nil {
				s.lost = read.Err
			}
		}
	}
}

// lasts reports whether a failure does not pass by itself.
func lasts(err error) bool {
	var absent *view.NotFound
	var unreadable *live.Unreadable
	return errors.As(err, &absent) || errors.As(err, &unreadable) || apierrors.IsForbidden(err)
}

// stuck reports whether a target is Blocked, whatever it is that was not read.
func stuck(d *decision.Decision) bool { return d.State == decision.StateBlocked && !d.Partial }

// beingDeleted are the errors of objects that will not be stable any more.
func beingDeleted(ds []*decision.Decision) error {
	var all failures
	for _, d := range ds {
		if d.State == decision.StateTerminating {
			all = append(all, fmt.Errorf("%s: it will not become stable", sentence(d)))
		}
	}
	return all
}

// conclude says what is new, explains what is stuck, and ends with its first lines.
func (w *waiting) conclude(ds []*decision.Decision) error {
	those := slices.DeleteFunc(slices.Clone(ds), not(stuck))
	others := slices.DeleteFunc(slices.Clone(ds), stuck)
	return errors.Join(w.display.close(), w.display.say(others, false), w.display.why(those), w.display.say(those, true))
}

// stop ends a wait that was interrupted, or whose time is up.
func (w *waiting) stop(ctx context.Context) error {
	if !errors.Is(context.Cause(ctx), errTimeUp) {
		return errors.Join(w.display.close(), w.display.say(w.last.decisions, false), context.Cause(ctx))
	}
	doubt := w.last.doubt()
	if doubt == nil {
		doubt = w.server.Unwatched()
	}
	if doubt != nil || len(w.last.decisions) == 0 || !w.doubted.IsZero() {
		return errors.Join(w.display.close(), w.display.say(w.last.decisions, false), w.unanswered(ctx, doubt))
	}
	stable := slices.DeleteFunc(slices.Clone(w.last.decisions), not(in(decision.StateStable)))
	unstable := slices.DeleteFunc(slices.Clone(w.last.decisions), in(decision.StateStable))
	var all failures
	for _, d := range unstable {
		all = append(all, fmt.Errorf("timed out after %s: %s", *w.timeout, sentence(d)))
	}
	return errors.Join(w.display.close(), w.display.say(stable, false), w.display.why(unstable), timeUp{all})
}

// unanswered is the error of a wait that ends without a current answer.
func (w *waiting) unanswered(ctx context.Context, err error) error {
	switch {
	case !errors.Is(context.Cause(ctx), errTimeUp):
		return err
	case err == nil || errors.Is(err, errTimeUp):
		return fmt.Errorf("timed out after %s without an answer from the server", *w.timeout)
	}
	return fmt.Errorf("timed out after %s without a current answer: %w", *w.timeout, err)
}

// timeUp is the end of a wait for objects that are not stable.
type timeUp struct{ failures }

// sentence is the first line about a target, within an error.
func sentence(d *decision.Decision) string { return strings.TrimSuffix(d.Headline, ".") }

func in(state decision.State) func(*decision.Decision) bool {
	return func(d *decision.Decision) bool { return d.State == state }
}

func not[T any](is func(T) bool) func(T) bool { return func(t T) bool { return !is(t) } }

const (
	// breath is the least time from one sight to the next, and pulse the most.
	breath = 250 * time.Millisecond
	pulse  = time.Second
)

// pause waits until there is something new to see. What takes long to decide is
// decided less often.
func (w *waiting) pause(ctx context.Context, took time.Duration) {
	rest := w.env.Clock.After(max(breath, 5*took))
	select {
	case <-ctx.Done():
		return
	case <-rest:
	}
	select {
	case <-ctx.Done():
	case <-w.Changes():
	case <-w.env.Clock.After(max(pulse, 5*took)):
	case <-w.env.Resized:
	}
}
