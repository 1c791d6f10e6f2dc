package cli

import (
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// full is where nothing can be written any more.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestTraceThatCannotBePrinted ends with the error, as of any answer.
func TestTraceThatCannotBePrinted(t *testing.T) {
	for _, form := range []string{"", "json"} {
		root := New(Env{
			Controllers: plugins.All(), Clock: clock.RealClock{},
			IOStreams: genericiooptions.IOStreams{Out: full{}, ErrOut: io.Discard},
			Getenv:    func(string) string { return "" }, Width: func() int { return 0 },
		})
		root.SetArgs([]string{"trace", "-o", form, "--from", filepath.Join("..", "..", "docs", "examples", "trace.jsonl")})
		if err := root.ExecuteContext(t.Context()); !errors.Is(err, errFull) {
			t.Errorf("-o %q: %v, want %v", form, err, errFull)
		}
	}
}

// TestTraceEnding: with --exit-code, what was not seen is no answer, and neither is nothing.
func TestTraceEnding(t *testing.T) {
	blind, late := entry.Summary{Syncs: 1, BlindSince: new(time.Unix(0, 0))}, entry.Summary{Syncs: 1, Late: 1}
	for name, c := range map[string]struct {
		sum     entry.Summary
		targets int
		want    int
	}{
		"as predicted":     {entry.Summary{Syncs: 1}, 0, exitNothing},
		"nothing to do":    {entry.Summary{}, 1, exitNothing},
		"nothing at all":   {entry.Summary{}, 0, exitError},
		"late":             {late, 1, exitPending},
		"mispredicted":     {entry.Summary{Misses: 1}, 0, exitPending},
		"open":             {entry.Summary{Open: []string{"replicaset/web"}}, 0, exitPending},
		"blind at the end": {blind, 1, exitError},
	} {
		f := traceFlags{targets: c.targets}
		if err := f.ending(c.sum); err != nil {
			t.Errorf("%s, without --exit-code: %v", name, err)
		}
		f.output.exitCode = true
		if got, _ := ExitStatus(f.ending(c.sum)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
