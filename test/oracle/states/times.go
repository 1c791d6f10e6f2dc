package states

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Now is the instant of every state: the frozen clock of the oracles.
var Now = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// The powers of two nanoseconds that lie between two whole seconds.
const (
	firstEdge = 30 // 1.07s
	lastEdge  = 55 // 417 days
)

// noTime stands for a timestamp that is not set.
const noTime = -1 << 40

// clock draws times in whole seconds, which is what the API keeps.
type clock struct {
	draw
	bases    []int
	minReady int
}

func newClock(d draw, minReady int) clock {
	c := clock{draw: d, minReady: minReady}
	for range d.between(1, 3) {
		c.bases = append(c.bases, c.base())
	}
	return c
}

// base is an age in seconds that something turns on.
func (c clock) base() int {
	switch {
	case c.minReady > 0 && c.chance(40):
		return c.minReady + c.between(-1, 1)
	case c.chance(10):
		return pick(c.draw, -30, 0, noTime)
	case c.chance(20):
		return c.between(1, 40)
	default:
		edge := int((int64(1) << c.between(firstEdge, lastEdge)) / int64(time.Second))
		return edge + c.between(-1, 1)
	}
}

// middle is an age well inside a bucket.
func (c clock) middle() int {
	return int((int64(3) << c.between(33, lastEdge-1)) / int64(time.Second))
}

// age is one of the state's few ages, or one a second or two later.
func (c clock) age() int {
	base := pick(c.draw, c.bases...)
	if base == noTime {
		return noTime
	}
	return base + mostly(c.draw, 0, 40, 1, 2, 3)
}

func (c clock) time() metav1.Time { return ago(c.age()) }

func ago(seconds int) metav1.Time {
	if seconds == noTime {
		return metav1.Time{}
	}
	return metav1.Time{Time: Now.Add(-time.Duration(seconds) * time.Second)}
}
