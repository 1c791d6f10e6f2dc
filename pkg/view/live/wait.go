package live

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// again is the part of the timeout that is waited in each Load of a question that
// has waited that long in vain: the server may fail all lists of a kind, and
// which it has to list shows only as the question is answered.
const again = 6

// await waits until all of pending were read or failed.
func (s *Source) await(ctx context.Context, pending []*informer) error {
	s.awaited.Store(&pending)
	defer s.awaited.Store(nil)
	patience := max(s.timeout-s.waited, s.timeout/again)
	timer := s.clock.NewTimer(patience)
	defer timer.Stop()
	for _, i := range pending {
		select {
		case <-i.tried:
		case err := <-s.broken:
			s.forget()
			return err
		case <-ctx.Done():
			return fmt.Errorf("reading %s: %w", i.need, context.Cause(ctx))
		case <-s.ctx.Done():
			return errClosed
		case <-timer.C():
			s.waited += patience
			return s.giveUp(pending, patience)
		}
	}
	return s.lost()
}

// lost is the error of the whole server that one of the informers met.
func (s *Source) lost() error {
	for _, i := range s.informers {
		if i.lost() {
			_, err := i.outcome()
			s.forget()
			return err
		}
	}
	return nil
}

// lost reports whether the informer failed because the server gives no answers.
func (i *informer) lost() bool {
	var lost *Unreachable
	_, err := i.outcome()
	return errors.As(err, &lost)
}

// forget stops what did not get through, so that the next Load tries again.
func (s *Source) forget() {
	s.drop(func(i *informer) bool {
		done, _ := i.outcome()
		return !done || i.lost()
	})
}

// giveUp lets informers that are not ready go on in the background; their
// needs count as failed until they are. When nothing at all was ever read, it
// is the server that does not answer.
func (s *Source) giveUp(pending []*informer, waited time.Duration) error {
	var first error
	for _, i := range pending {
		if err := i.giveUp(waited); err != nil && first == nil {
			first = err
		}
	}
	for _, i := range s.informers {
		if done, _ := i.outcome(); done {
			return s.lost()
		}
	}
	s.forget()
	return fmt.Errorf("no answer from the server %s: %w", s.clients.host, first)
}

// giveUp marks the informer as late, if it still is.
func (i *informer) giveUp(waited time.Duration) error {
	if done, _ := i.outcome(); done {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	cause := i.trouble
	if status := i.source.traffic.lastTrouble(); cause == nil && status != "" {
		cause = fmt.Errorf("the server said %s", status)
	}
	if cause == nil {
		cause = errSilent
	}
	i.late = overdue(i.need, waited, cause)
	return i.late
}
