//go:build unix && !linux

package controlplane

import (
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
)

// childAttr gives a child a process group of its own, so that Ctrl-C in a
// terminal reaches only the parent, which stops the children in order.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// guard starts a shell that reads from a pipe whose other end only this program
// holds. The read ends when this program does, in whatever way, and the shell
// then kills the group. The returned function ends the guard instead.
func guard(pid int) (func(), error) {
	cmd := exec.Command("/bin/sh", "-c", `read -r _; kill -s KILL -- "-$1"`, "guard", strconv.Itoa(pid))
	cmd.SysProcAttr = childAttr()
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return func() {}, fmt.Errorf("guard process %d: %w", pid, err)
	}
	if err := cmd.Start(); err != nil {
		return func() {}, fmt.Errorf("guard process %d: %w", pid, err)
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = pipe.Close()
		_ = cmd.Wait()
	}, nil
}
