package driver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// Main answers requests from stdin on stdout until stdin ends.
//
// A synctest bubble needs a *testing.T, which testing.Main gives to a plain
// program, so an oracle is an ordinary executable without flags. The testing
// package prints to os.Stdout; the protocol therefore goes to the real stdout
// while os.Stdout points at stderr, and the process exits from inside.
//
// With the argument "memory" it answers for the controller's expectations
// alone, with "admission" for what the API server makes of new objects.
func Main(up Upstream) {
	out := os.Stdout
	os.Stdout = os.Stderr
	silence()
	tune()
	all := func(_, _ string) (bool, error) { return true, nil }
	if len(os.Args) > 1 && os.Args[1] == "memory" && up.Remember != nil {
		alone := func(t *testing.T) { exit(up.Remember(t, os.Stdin, out)) }
		testing.Main(all, []testing.InternalTest{{Name: "Remember", F: alone}}, nil, nil)
	}
	if len(os.Args) > 1 && os.Args[1] == "admission" && up.Admit != nil {
		exit(up.Admit(os.Stdin, out))
	}
	serveInBubble := func(t *testing.T) {
		synctest.Test(t, func(*testing.T) { exit(serve(newOracle(up), os.Stdin, out)) })
	}
	testing.Main(all, []testing.InternalTest{{Name: "Serve", F: serveInBubble}}, nil, nil)
}

// tune suits many small states one after another: fewer collections for more
// memory, and one thread, which saves the hand-over between goroutines.
func tune() {
	debug.SetGCPercent(400)
	runtime.GOMAXPROCS(1)
}

// silence drops upstream's logs. The default error handlers also sleep for a
// millisecond per error, which in a bubble would move the clock.
func silence() {
	utilruntime.ErrorHandlers = nil
	klog.SetLogger(logr.Discard())
}

// exit ends the process without waiting for upstream's parked goroutines.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers line by line and flushes when no further request is waiting,
// so that a caller may send one request at a time or many at once.
func serve(o *oracle, in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(w)
	for {
		line, readErr := r.ReadBytes('\n')
		if len(line) > 1 {
			if err := encoder.Encode(o.answer(line)); err != nil {
				return err
			}
		}
		if r.Buffered() == 0 || readErr != nil {
			if err := w.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}
