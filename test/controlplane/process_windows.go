package controlplane

import (
	"errors"
	"syscall"
)

// The package compiles on Windows so that "go vet ./..." does; it cannot run
// there, for want of signals that pause a process.

func childAttr() *syscall.SysProcAttr { return nil }

func guard(int) (func(), error) { return func() {}, errors.ErrUnsupported }

func killGroup(int) error    { return errors.ErrUnsupported }
func suspendGroup(int) error { return errors.ErrUnsupported }
func wakeGroup(int) error    { return errors.ErrUnsupported }

func alive(int) bool { return false }
