package render

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func awaited(name string, state decision.State, desired, available int) *decision.Decision {
	d := &decision.Decision{Target: decision.Ref{Kind: "ReplicaSet", Name: name}}
	d.State, d.Replicas = state, &decision.Replicas{Desired: desired, Current: desired, Available: available}
	d.Headline = d.Target.String() + ": " + strings.ToLower(string(state)) + "."
	return d
}

// TestAwaited: what needs most care comes first, no more than there is room for.
func TestAwaited(t *testing.T) {
	ds := []*decision.Decision{
		awaited("done", decision.StateStable, 2, 2), awaited("slow", decision.StateProgressing, 4, 1), awaited("odd", decision.StateUnknown, 0, 0),
	}
	for rows, want := range map[int]string{
		24: "replicaset/odd: unknown|█████░░░░░░░░░░░░░░░ replicaset/slow: progressing|████████████████████ replicaset/done: stable|waiting for 1m1s; Ctrl-C ends",
		6:  "replicaset/odd: unknown|█████░░░░░░░░░░░░░░░ replicaset/slow: progressing|████████████████████ replicaset/done: stable|waiting for 1m1s; Ctrl-C ends",
		5:  "replicaset/odd: unknown|… 2 more|waiting for 1m1s; Ctrl-C ends",
		1:  "replicaset/odd: unknown|… 2 more|waiting for 1m1s; Ctrl-C ends",
	} {
		if got := strings.Join(Awaited(ds, "", 61*time.Second, rows, Options{Width: 100}), "|"); got != want {
			t.Errorf("%d rows:\ngot  %s\nwant %s", rows, got, want)
		}
	}
	got := Awaited(ds, "no current answer: "+strings.Repeat("x", 90), 0, 24, Options{Width: 60})
	if doubt := got[len(got)-2]; width(doubt) != 59 || !strings.HasSuffix(doubt, "…") {
		t.Errorf("the doubt is not cut to the width: %q", doubt)
	}
}

// TestBar is full when all is updated and available, and not before.
func TestBar(t *testing.T) {
	of := func(desired, available, updated, updatedDesired int) *decision.Replicas {
		return &decision.Replicas{Desired: desired, Available: available, Updated: &updated, UpdatedDesired: &updatedDesired}
	}
	for want, r := range map[string]*decision.Replicas{
		"":          {},
		"████████ ": of(4, 5, 2, 2), // a partition of 2
		"████░░░░ ": of(4, 4, 2, 4),
		"██░░░░░░ ": of(4, 1, 4, 4),
		"░░░░░░░░ ": of(4, 4, 0, 4),
	} {
		if got := newPage(nil, Options{Width: 80}).bar(r); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}
