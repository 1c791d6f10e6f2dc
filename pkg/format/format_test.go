package format_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

func Example() {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	fmt.Println(format.Plural(0, "pod"), format.Plural(1, "pod"), format.Plural(int64(2), "pod"))
	fmt.Println(format.List([]string{"a", "b"}), format.YesNo(true), format.YesNo(false), format.OrDash(""), format.OrDash("node-1"))
	fmt.Println(format.Some([]string{"a", "b"}, 2), "/", format.Some([]string{"a", "b"}, 5), "/", format.OneOf([]string{"a", "b"}, 5))
	fmt.Println(format.Would(true), format.Would(false))
	fmt.Println(format.Seconds(190*time.Second+time.Millisecond), format.Age(noon.Add(-68*time.Hour), noon), format.Age(time.Time{}, noon))
	for _, since := range []time.Duration{40*24*time.Hour + 14*time.Hour, 40*24*time.Hour + 3*time.Hour + 7*time.Minute, 40*24*time.Hour + 3*time.Hour + 1900*time.Millisecond, 39 * 24 * time.Hour} {
		fmt.Println(format.Ages(noon.Add(-40*24*time.Hour-3*time.Hour-time.Second), noon.Add(-since), noon))
	}
	fmt.Printf("%q %q\n", format.Instant(noon.In(time.FixedZone("", 3600))), format.Instant(time.Time{}))
	// Output:
	// 0 pods 1 pod 2 pods
	// a, b yes no - node-1
	// a, b / a, b and 3 more / a or b or 3 more
	// would will
	// 3m10s 2d20h -
	// 40d3h 40d14h
	// 40d3h 40d3h7m
	// 40d3h1s 40d3h1s
	// 40d 39d
	// "2026-01-02T12:00:00Z" ""
}

// TestAgesAt compares the texts of a list with those of each age alone, at every
// second of the first day, and at the edges of longer ones.
func TestAgesAt(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	text := format.AgesAt(now)
	check := func(at time.Time) {
		t.Helper()
		if got, want := text(at), format.Age(at, now); got != want {
			t.Errorf("%v before is %q in a list, %q alone", now.Sub(at), got, want)
		}
	}
	check(time.Time{})
	for d := -3 * time.Second; d < 25*time.Hour; d += 700 * time.Millisecond {
		check(now.Add(-d))
	}
	for days := range 800 {
		for _, d := range []time.Duration{-1, 0, time.Minute, time.Hour} {
			check(now.Add(-d - time.Duration(days)*24*time.Hour))
		}
	}
}
