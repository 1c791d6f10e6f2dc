package main

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"
)

// TestInterruptible: who ends first, the command, the second signal or the grace.
func TestInterruptible(t *testing.T) {
	failure := errors.New("no such object")
	obeys := func(err error) func(context.Context) error {
		return func(ctx context.Context) error { <-ctx.Done(); return err }
	}
	deaf := func(context.Context) error { select {} }
	for name, c := range map[string]struct {
		work    func(context.Context) error
		signals []os.Signal
		clock   clock.Clock
		status  int
		err     error
	}{
		"ends by itself":        {work: func(context.Context) error { return nil }},
		"fails by itself":       {work: func(context.Context) error { return failure }, err: failure},
		"a watch ends well":     {work: obeys(nil), signals: []os.Signal{os.Interrupt}},
		"an answer is given up": {work: obeys(context.Canceled), signals: []os.Signal{os.Interrupt}, status: 130, err: errInterrupted},
		"terminated":            {work: obeys(context.Canceled), signals: []os.Signal{syscall.SIGTERM}, status: 143, err: errInterrupted},
		"deaf, second signal":   {work: deaf, signals: []os.Signal{os.Interrupt, os.Interrupt}, status: 130, err: errInterrupted},
		"deaf, end of grace":    {work: deaf, signals: []os.Signal{os.Interrupt}, clock: passing{}, status: 130, err: errInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			signals := make(chan os.Signal, 2)
			for _, s := range c.signals {
				signals <- s
			}
			if c.clock == nil {
				c.clock = clocktesting.NewFakeClock(time.Time{}) // the grace never ends
			}
			status, err := interruptible(signals, c.clock, c.work)
			if status != c.status || !errors.Is(err, c.err) {
				t.Errorf("status %d, error %v; want %d, %v", status, err, c.status, c.err)
			}
		})
	}
}

// passing is a clock whose waits end at once.
type passing struct{ clock.RealClock }

func (passing) After(time.Duration) <-chan time.Time {
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}
