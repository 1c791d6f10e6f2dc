//go:build unix

package controlplane

import "syscall"

func killGroup(pid int) error    { return syscall.Kill(-pid, syscall.SIGKILL) }
func suspendGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGSTOP) }
func wakeGroup(pid int) error    { return syscall.Kill(-pid, syscall.SIGCONT) }

// alive also counts a process that ended and was not waited for.
func alive(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
