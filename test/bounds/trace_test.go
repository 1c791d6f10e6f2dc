package bounds

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"
)

// TestTrace: what a replay costs depends on the lines of the record, not on how
// long nothing was recorded.
func TestTrace(t *testing.T) {
	bound(t, []row{
		{name: "gap", args: []string{"trace", "--from", "INPUT"}, input: pausing, n: 3, allocated: 20, growth: 1.2, want: "summary"},
		{name: "gaps", args: []string{"trace", "--from", "INPUT"}, input: pauses, n: 50, allocated: 20, want: "summary"},
	})
}

// recorded is a record that ends while a controller is late, up to its end.
func recorded() ([]byte, error) {
	text, err := os.ReadFile("../../docs/examples/trace.jsonl")
	if err != nil {
		return nil, err
	}
	end := bytes.LastIndex(text, []byte(`{"at":"2026-11-01T12:00:21`))
	if end < 0 {
		return nil, errors.New("the example has no end")
	}
	return text[:end], nil
}

// pausing is a record with a gap of n days.
func pausing(w io.Writer, n int) error { return withGaps(w, 1, time.Duration(n)*24*time.Hour) }

// pauses is a record with n gaps of an hour.
func pauses(w io.Writer, n int) error { return withGaps(w, n, time.Hour) }

func withGaps(w io.Writer, n int, gap time.Duration) error {
	text, err := recorded()
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	at := time.Date(2026, 11, 1, 12, 0, 21, 0, time.UTC)
	for range n {
		at = at.Add(gap)
		if _, err := fmt.Fprintf(w, `{"at":%q,"mark":"drain"}`+"\n", at.Format(time.RFC3339)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, `{"at":%q,"mark":"end"}`+"\n", at.Format(time.RFC3339))
	return err
}
