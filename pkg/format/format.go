package format

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

// Plural counts a noun that takes an s: "1 pod", "3 pods". It is called too
// often to stand in line.
//
//go:noinline
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// List names each, with commas.
//
//go:noinline
func List(names []string) string { return strings.Join(names, ", ") }

// Most is how many names a sentence holds before the rest is counted.
const Most = 10

// Some names the first of total, with commas: "a, b and 3 more".
//
//go:noinline
func Some(names []string, total int) string { return some(names, total, ", ", " and ") }

// OneOf names the first of total, of which one is meant: "a or b or 3 more".
//
//go:noinline // it is called at many places
func OneOf(names []string, total int) string { return some(names, total, " or ", " or ") }

func some(names []string, total int, glue, last string) string {
	names = names[:min(len(names), Most)]
	text := strings.Join(names, glue)
	if left := total - len(names); left > 0 && len(names) > 0 {
		text += fmt.Sprintf("%s%d more", last, left)
	}
	return text
}

// YesNo is a cell of a table.
func YesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// OrDash is a cell of a table, a dash where there is nothing to show.
func OrDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Would is the verb of an answer: a what-if would, anything else will.
func Would(hypothetical bool) string {
	if hypothetical {
		return "would"
	}
	return "will"
}

// Seconds is a span of time to the second, as 3m10s.
func Seconds(d time.Duration) string { return d.Truncate(time.Second).String() }

// Age is how long before now an instant was, as kubectl prints ages; a dash for
// one that never was.
func Age(at, now time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return duration.HumanDuration(now.Sub(at))
}

// AgesAt is Age at one instant, for a list: what prints alike is made once, mostly.
func AgesAt(now time.Time) func(at time.Time) string {
	// young are ages below which seconds are printed.
	const young = 10 * time.Minute
	var made [251]struct {
		age  time.Duration
		text string
	}
	return func(at time.Time) string {
		if at.IsZero() {
			return Age(at, now)
		}
		age := now.Sub(at).Truncate(time.Second)
		if age >= young {
			age = age.Truncate(time.Minute)
		}
		kept := &made[uint64(age/time.Second)%uint64(len(made))]
		if kept.text == "" || kept.age != age {
			kept.age, kept.text = age, duration.HumanDuration(age)
		}
		return kept.text
	}
}

// Ages are those of two instants, with as many units as tell them apart: 40d3h and
// 40d14h, where Age prints 40d of both. Instants of one second print alike.
func Ages(a, b, now time.Time) (string, string) {
	first, second := Age(a, now), Age(b, now)
	for units := 2; first == second && units <= 4 && !a.IsZero() && !b.IsZero(); units++ {
		first, second = inUnits(now.Sub(a), units), inUnits(now.Sub(b), units)
	}
	return first, second
}

// inUnits is a span in so many units of days, hours, minutes and seconds at most.
func inUnits(d time.Duration, most int) string {
	text := ""
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		n := d / u.unit
		if n == 0 && text == "" && u.unit > time.Second {
			continue
		}
		if d -= n * u.unit; most > 0 && (n > 0 || text == "") {
			text += fmt.Sprintf("%d%s", n, u.name)
		}
		most--
	}
	return text
}

// Instant is an instant in RFC 3339 and UTC, nothing for one that never was.
func Instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
