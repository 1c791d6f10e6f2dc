package random

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSourcesAreAlike: what a state's strata are tuned to holds for both sources.
func TestSourcesAreAlike(t *testing.T) {
	const draws = 20_000
	seeded := New(1)
	slow := rapid.Custom(func(t *rapid.T) []int {
		var all []int
		for range draws {
			all = append(all, Rapid{t}.Between(0, 99))
		}
		return all
	}).Example(1)
	var ours, theirs [100]int
	for i := range draws {
		n := seeded.Between(0, 99)
		if n < 0 || n > 99 {
			t.Fatalf("%d is not between 0 and 99", n)
		}
		ours[n/10]++
		theirs[slow[i]/10]++
	}
	for i := range 10 {
		if d := ours[i] - theirs[i]; d*d > 9*4*theirs[i] {
			t.Errorf("numbers from %d to %d: %d of %d, rapid %d", 10*i, 10*i+9, ours[i], draws, theirs[i])
		}
	}
	if n := seeded.Between(7, 7); n != 7 {
		t.Errorf("between 7 and 7: %d", n)
	}
}
