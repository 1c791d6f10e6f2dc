package render

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// internal is a Decision that has nothing but internals.
func internal() *decision.Decision {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	d := &decision.Decision{AsOf: now}
	d.State = decision.StateStable
	d.Gate.Open, d.Gate.Message = true, "open"
	d.Status.Message = "not written"
	d.NextSync.Message = "on the next event"
	d.Limits = []decision.Ruling{{Rule: "ScaleArithmetic", Message: "1 = 1 + 0", Facts: decision.Facts{{Name: "n", Of: decision.Facts{{Name: "m"}}}}}}
	return d
}

// TestInternalsAreForWide: what leaves the answer as it is is shown with -o wide alone;
// a closed gate, a limit without arithmetic and the end of a wait are no such thing.
func TestInternalsAreForWide(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*decision.Decision)
		want   string
	}{
		{"internals", func(*decision.Decision) {}, "OWNER"},
		{"a closed gate", func(d *decision.Decision) { d.Gate.Open = false }, "GATE"},
		{"a limit that binds", func(d *decision.Decision) { d.Limits[0].Facts = nil }, "LIMITS"},
		{"the arithmetic of an action", func(d *decision.Decision) { d.Actions = []decision.Action{{}} }, "LIMITS"},
		{"a timer", func(d *decision.Decision) { d.State, d.After = decision.StateProgressing, time.Second }, "NEXT SYNC"},
	} {
		d := internal()
		c.change(d)
		wide, short := contextOf(d, true), contextOf(d, false)
		for _, label := range []string{"MODEL", "OWNER", "LIMITS", "GATE", "STATUS", "NEXT SYNC"} {
			if !slices.ContainsFunc(wide, func(l string) bool { return strings.HasPrefix(l, label) }) {
				t.Errorf("%s: -o wide has no %s", c.what, label)
			}
		}
		if shown := slices.ContainsFunc(short, func(l string) bool { return strings.HasPrefix(l, c.want) }); shown != (c.want != "OWNER") {
			t.Errorf("%s: %s is shown: %v\n%s", c.what, c.want, shown, strings.Join(short, "\n"))
		}
		if strings.Contains(strings.Join(short, "\n"), "[ScaleArithmetic]") || !strings.Contains(strings.Join(wide, "\n"), "[ScaleArithmetic]") {
			t.Errorf("%s: the rule is not shown with -o wide alone", c.what)
		}
	}
}

func contextOf(d *decision.Decision, wide bool) []string {
	p := newPage(d, Options{Wide: wide})
	p.context()
	return strings.Split(p.String(), "\n")
}

// TestValidUntil: the end of an answer's validity is shown where it is near.
func TestValidUntil(t *testing.T) {
	for left, want := range map[time.Duration]bool{soon: true, soon + time.Second: false} {
		d := internal()
		until := d.AsOf.Add(left)
		d.Ranking = &decision.Ranking{HoldsUntil: &until}
		follows := internal()
		follows.Follows = []decision.Effect{{}, {Ranking: &decision.Ranking{HoldsUntil: new(until.Add(time.Second))}}, {Ranking: d.Ranking}}
		if got := strings.Contains(strings.Join(contextOf(follows, false), "\n"), "VALID UNTIL"); got != want {
			t.Errorf("%s, of what follows: shown: %v", left, got)
		}
		if got := strings.Contains(strings.Join(contextOf(d, false), "\n"), "VALID UNTIL"); got != want {
			t.Errorf("%s: shown: %v", left, got)
		}
		if !strings.Contains(strings.Join(contextOf(d, true), "\n"), "VALID UNTIL") {
			t.Errorf("%s: -o wide lacks it", left)
		}
	}
}
