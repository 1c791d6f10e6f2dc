package controlplane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// process is one run of a component.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{}
}

// startProcess appends to the log file, so that it holds all runs of a
// component.
func startProcess(path string, args, env []string, logPath string) (*process, error) {
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = childAttr()
	p := &process{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error)
	go p.run(log, started)
	return p, <-started
}

// run keeps the operating system's thread until the child is gone: on Linux the
// death signal comes when the thread ends that started the child, not only when
// the program does.
func (p *process) run(log *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.exited)
	defer func() { _ = log.Close() }()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	unguard, err := guard(p.cmd.Process.Pid)
	if err != nil {
		_ = killGroup(p.cmd.Process.Pid)
	}
	started <- err
	_ = p.cmd.Wait() // The log tells how it ended.
	unguard()
}

func (p *process) running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// kill also ends a process that is paused. The wait is short: no signal handler
// runs.
func (p *process) kill(ctx context.Context) error {
	if !p.running() {
		return nil
	}
	if err := killGroup(p.cmd.Process.Pid); err != nil && p.running() {
		return fmt.Errorf("kill process %d: %w", p.cmd.Process.Pid, err)
	}
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("kill process %d: %w", p.cmd.Process.Pid, ctx.Err())
	}
}

// logTail is the end of a log for an error message: n lines.
func logTail(path string, n int) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
