package memory

import (
	"strings"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// ours takes steps on our own types.
type ours interface {
	// take tells everything that may be seen after a step; chance decides
	// upstream's choice where there is more than one.
	take(do string, args []string) []string
}

// takeAll takes steps on what newOurs makes. "-" is an empty word.
func takeAll(newOurs func(*clocktesting.FakePassiveClock) ours, steps []string) [][]string {
	clock := clocktesting.NewFakePassiveClock(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	o := newOurs(clock)
	seen := make([][]string, len(steps))
	for i, step := range steps {
		words := strings.Fields(step)
		for w := range words {
			if words[w] == "-" {
				words[w] = ""
			}
		}
		if words[0] == "wait" {
			d, _ := time.ParseDuration(words[1])
			clock.SetTime(clock.Now().Add(d))
			seen[i] = []string{""}
			continue
		}
		seen[i] = o.take(words[0], words[1:])
	}
	return seen
}
