package kruisedriver

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
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/memory"
)

// Main answers requests from stdin on stdout until stdin ends.
//
// A synctest bubble needs a *testing.T, which testing.Main gives to a plain
// program, so an oracle is an ordinary executable without flags. The testing
// package prints to os.Stdout; the protocol therefore goes to the real stdout
// while os.Stdout points at stderr, and the process exits from inside.
//
// With the argument "memory" it answers for the expectations alone (package
// memory), with "events" for the event handlers (package events).
func Main(up Upstream) {
	out := os.Stdout
	os.Stdout = os.Stderr
	silence()
	tune()
	run := func(t *testing.T) { exit(serve(newOracle(up, t), os.Stdin, out)) }
	if len(os.Args) > 1 && os.Args[1] == "memory" {
		run = func(t *testing.T) { exit(memory.Serve(t, os.Stdin, out)) }
	}
	if len(os.Args) > 1 && os.Args[1] == "events" && up.Events != nil {
		run = func(t *testing.T) { exit(up.Events(t, os.Stdin, out, newGates().apply)) }
	}
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "Serve", F: run}}, nil, nil)
}

// tune suits many small states one after another: fewer collections for more
// memory, and one thread, which saves the hand-over between goroutines.
func tune() {
	debug.SetGCPercent(400)
	runtime.GOMAXPROCS(1)
	time.Local = time.UTC
}

// silence drops upstream's logs and the sleep of its default error handlers.
func silence() {
	utilruntime.ErrorHandlers = nil
	klog.SetLogger(logr.Discard())
}

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
	encoder.SetEscapeHTML(false)
	for {
		line, readErr := r.ReadBytes('\n')
		if len(line) > 1 {
			if err := encoder.Encode(o.answerLine(line)); err != nil {
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

func (o *oracle) answerLine(line []byte) *contract.Response {
	req := &contract.Request{}
	if err := json.Unmarshal(line, req); err != nil {
		return &contract.Response{ID: req.ID, Error: fmt.Sprintf("request is not usable: %v", err)}
	}
	return o.answer(req)
}
