package e2e

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// watching is an explain -w that runs.
type watching struct {
	*world
	cmd    *exec.Cmd
	stderr strings.Builder
	lines  chan string
	seen   []string
}

// startWatching starts explain -w and ends it with the test.
func (w *world) startWatching(t tool, plugin bool) *watching {
	w.Helper()
	args := []string{"explain", "rs/" + web, "--watch", "--output", "wide", "--namespace", w.namespace}
	ctx, cancel := context.WithCancel(w.Context())
	o := &watching{world: w, cmd: t.binary(ctx, args...), lines: make(chan string, 1000)}
	if plugin {
		o.cmd = t.plugin(ctx, args...)
	}
	o.cmd.Stderr = &o.stderr
	out, err := o.cmd.StdoutPipe()
	w.check(err)
	w.check(o.cmd.Start())
	go func() {
		defer close(o.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			o.lines <- scanner.Text()
		}
	}()
	w.Cleanup(func() {
		cancel()
		_ = o.cmd.Wait()
	})
	return o
}

// waitForLine reads on until a line of the output holds the text.
func (o *watching) waitForLine(text string) {
	o.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case line, open := <-o.lines:
			o.seen = append(o.seen, line)
			if !open {
				o.Fatalf("the output ended before %q: %s\n%s", text, o.stderr.String(), strings.Join(o.seen, "\n"))
			}
			if strings.Contains(line, text) {
				return
			}
		case <-limit:
			o.Fatalf("no line %q:\n%s", text, strings.Join(o.seen, "\n"))
		}
	}
}

// interrupt ends the watch as Ctrl-C does, and wants a silent, good end.
func (o *watching) interrupt() {
	o.Helper()
	o.check(o.cmd.Process.Signal(os.Interrupt))
	for range o.lines {
	}
	if err := o.cmd.Wait(); err != nil || o.stderr.Len() > 0 {
		o.Error(fmt.Errorf("after Ctrl-C: %w: %s", err, o.stderr.String()))
	}
}
