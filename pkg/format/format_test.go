package format_test

import (
	"fmt"
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
