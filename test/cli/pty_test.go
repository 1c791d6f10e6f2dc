//go:build linux

package cli

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal is both ends of a pseudo-terminal: what is written to tty can be
// read from screen.
type terminal struct {
	tty    *os.File
	screen *output
}

func openTerminal(t *testing.T, columns, rows int) terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	term := terminal{tty, &output{}}
	term.resize(t, columns, rows)
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 1<<16)
		for {
			n, err := master.Read(buf)
			_, _ = term.screen.Write(buf[:n])
			if err != nil { // EIO: the other end is closed
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = tty.Close()
		<-read
		_ = master.Close()
	})
	return term
}

func (term terminal) resize(t *testing.T, columns, rows int) {
	t.Helper()
	size := &unix.Winsize{Col: uint16(columns), Row: uint16(rows)}
	if err := unix.IoctlSetWinsize(int(term.tty.Fd()), unix.TIOCSWINSZ, size); err != nil {
		t.Fatal(err)
	}
}
