package cli

import (
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

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
		root.SetArgs([]string{"trace", "-o", form, "--from", filepath.Join("..", "..", "docs", "examples", "trace.jsonl"), "--duration", time.Minute.String()})
		if err := root.ExecuteContext(t.Context()); !errors.Is(err, errFull) {
			t.Errorf("-o %q: %v, want %v", form, err, errFull)
		}
	}
}
