package controlplane

import "syscall"

// childAttr gives a child a process group of its own, so that Ctrl-C in a
// terminal reaches only the parent, which stops the children in order; should
// the parent die in whatever way, the kernel kills the child.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// guard has nothing to do: see Pdeathsig.
func guard(int) (func(), error) { return func() {}, nil }
