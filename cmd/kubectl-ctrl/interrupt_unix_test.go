//go:build unix

package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestInterrupted sends signals to the real program while it waits for what
// never comes. It must end, and print no answer.
func TestInterrupted(t *testing.T) {
	bin := build(t, "kubectl-ctrl")
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	server := silent(t)
	for name, args := range map[string][]string{
		"standard input": {"explain", "rs", "--from", "-"},
		"manifest":       {"plan", "-f", "-", "--from", filepath.Join("..", "..", "docs", "examples", "shop.yaml")},
		"fifo":           {"explain", "rs", "--from", fifo},
		"record":         {"trace", "--from", fifo},
		"discovery":      {"owners", "widget/x", "--server", server},
		"snapshot":       {"snapshot", "rs/web", "--server", server, "--emulate-version", "1.36"},
		"read":           {"explain", "rs/web", "--server", server, "--emulate-version", "1.36"},
		"wait":           {"wait", "rs/web", "--server", server, "--emulate-version", "1.36"},
		"watch":          {"explain", "rs/web", "-w", "--server", server, "--emulate-version", "1.36"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(name+"/"+sig.String(), func(t *testing.T) {
				t.Parallel()
				want := 128 + int(sig)
				if name == "watch" {
					want = 0 // a signal is how a watch ends
				}
				status := -1 // the signal killed it: on a busy machine it came before the program was there
				for after := time.Second; status == -1 && after < time.Minute; after *= 4 {
					status = interrupt(t, exec.CommandContext(t.Context(), bin, args...), sig, after)
				}
				if status != want {
					t.Errorf("exit status %d, want %d", status, want)
				}
			})
		}
	}
}

// interrupt starts the command, lets it come to where it waits, signals, and
// returns the exit status, -1 where the signal killed it.
func interrupt(t *testing.T, c *exec.Cmd, sig syscall.Signal, after time.Duration) int {
	t.Helper()
	held, err := c.StdinPipe() // stays open: nothing arrives, and no end either
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	var out bytes.Buffer
	c.Stdout = &out
	c.Env = append(os.Environ(), "KUBECONFIG="+os.DevNull, "HOME="+t.TempDir())
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	time.Sleep(after)
	if err := c.Process.Signal(sig); err != nil {
		t.Fatalf("it ended before the signal: %v", err)
	}
	select {
	case err := <-ended:
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if out.Len() > 0 {
			t.Errorf("it printed an answer: %s", out.String())
		}
	case <-time.After(20 * time.Second):
		_ = c.Process.Kill()
		t.Errorf("it did not end: %v", <-ended)
	}
	return c.ProcessState.ExitCode()
}

// silent is the address of a server that accepts connections and never answers.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	}()
	return "http://" + l.Addr().String()
}
