package trace

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
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
	_, err = rec.Replay(t.Context(), Options{Out: func(*entry.Entry) {}})
	if err == nil || !strings.Contains(err.Error(), "more than 7d after the line before") {
		t.Error(err)
	}
}

// TestTimesOfRecords: whatever the times in a record are, it is replayed with
// little work, or refused.
func TestTimesOfRecords(t *testing.T) {
	text, err := os.ReadFile("../../docs/examples/trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		old, now string
		entries  int
		err      string
	}{
		"as it is":           {"none", "none", 23, ""},
		"a gap of 6.9 days":  {`"at":"2026-11-01T12:00:21`, `"at":"2026-11-08T09:00:21`, 30, ""},
		"a year later":       {`"at":"2026-11-01T12:00:05`, `"at":"2027-11-01T12:00:05`, 0, "more than 7d after the line before"},
		"the year 1":         {`"at":"2026-11-01T12:00:05`, `"at":"0001-01-01T12:00:05`, 60, ""},
		"all of the year 1":  {"2026-11-01T12:", "0001-01-01T12:", 60, ""},
		"all of 9999":        {"2026-11-01T12:", "9999-12-31T23:", 0, "it is of the year 9999"},
		"an hour back":       {`"at":"2026-11-01T12:00:05`, `"at":"2026-11-01T11:00:05`, 60, ""},
		"leaps and retreats": {`"at":"2026-11-01T12:00:03`, `"at":"2026-11-03T12:00:03`, 60, ""},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			rec, err := OpenRecord(strings.NewReader(strings.ReplaceAll(string(text), test.old, test.now)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = rec.Replay(t.Context(), Options{Controllers: Running(plugins.All(), nil), Out: func(*entry.Entry) { n++ }})
			switch {
			case test.err == "" && err != nil, test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
				t.Errorf("got %v, want %q", err, test.err)
			case err == nil && n > test.entries:
				t.Errorf("%d entries, want at most %d", n, test.entries)
			}
		})
	}
}

// TestQuietTimeIsSkipped: what a gap costs hardly grows with its length.
func TestQuietTimeIsSkipped(t *testing.T) {
	steps := func(gap time.Duration) int {
		e := New(Options{Start: start, Controllers: Running(plugins.All(), nil), Out: func(*entry.Entry) {}})
		defer e.Stop()
		if err := e.Run(start); err != nil {
			t.Fatal(err)
		}
		e.watched[&shadow{c: e.controllers[0]}] = true
		n := 0
		for at := e.nextMoment(); !at.After(start.Add(gap)) && n < 10000; at = e.nextMoment() {
			e.clock.SetTime(at)
			e.nextTick = at.Truncate(tick).Add(e.pause())
			n++
		}
		return n
	}
	if day, week := steps(24*time.Hour), steps(7*24*time.Hour); day > 200 || week > day+60 {
		t.Errorf("%d ticks in a quiet day, %d in a week", day, week)
	}
}

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
