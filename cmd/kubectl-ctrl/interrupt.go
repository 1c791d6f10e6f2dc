package main

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"k8s.io/utils/clock"
)

// grace is how long a command may take to end after the first signal: a watch
// leaves its last answer, a trace its summary.
const grace = time.Second

var errInterrupted = errors.New("interrupted")

// interruptible runs work until it ends or has to. The first signal cancels
// its context; a second one, or the end of the grace, does not wait for it any
// longer: work may be reading a pipe that nobody writes to. The status is that
// of a shell for a process which the signal killed, unless work ended well.
func interruptible(signals <-chan os.Signal, c clock.Clock, work func(context.Context) error) (status int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- work(ctx) }()
	select {
	case err := <-done:
		return 0, err
	case sig := <-signals:
		status = killedBy(sig)
	}
	cancel()
	select {
	case err := <-done:
		if err == nil {
			return 0, nil
		}
	case <-signals:
	case <-c.After(grace):
	}
	return status, errInterrupted
}

// killedBy is the status that shells give a process which a signal ended.
func killedBy(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 128
}
