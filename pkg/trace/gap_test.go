package trace

import (
	"os"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/journal"
)

// A record whose time jumps to the end of time is refused; to play it through
// would take as long.
func TestRecordThatJumps(t *testing.T) {
	text, err := os.ReadFile("../../docs/examples/trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := OpenRecord(strings.NewReader(strings.ReplaceAll(string(text), "2026-11-01T12:00:05", "9999-12-31T23:59:59")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = rec.Replay(t.Context(), Options{Out: func(*journal.Entry) {}})
	if err == nil || !strings.Contains(err.Error(), "more than 7d after the line before") {
		t.Error(err)
	}
}
