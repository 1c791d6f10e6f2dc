//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// resized receives a value whenever the terminal has another size.
func resized() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c
}
