package controlplane

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestLastLineEnd shows that a mark is never within a line.
func TestLastLineEnd(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for text, want := range map[string]int{
		"":                        0,
		"torn":                    0,
		"whole\n":                 6,
		"whole\ntorn":             6,
		long + "\n" + long:        len(long) + 1,
		long + "\n" + long + "\n": 2*len(long) + 2,
	} {
		got, err := lastLineEnd(strings.NewReader(text), int64(len(text)))
		if err != nil || got != int64(want) {
			t.Errorf("the last of %d bytes ends at %d (%v), want %d", len(text), got, err, want)
		}
	}
}

// TestSort: what was logged late comes in the order of the requests, and the stages of
// one request stay in theirs.
func TestSort(t *testing.T) {
	at := func(seconds int64, stage string) AuditEvent {
		return AuditEvent{Stage: stage, RequestReceivedTimestamp: time.Unix(seconds, 0)}
	}
	events := []AuditEvent{at(2, "RequestReceived"), at(2, "ResponseComplete"), at(1, "ResponseComplete")}
	Sort(events)
	want := []AuditEvent{at(1, "ResponseComplete"), at(2, "RequestReceived"), at(2, "ResponseComplete")}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Error(diff)
	}
}
