package states

import "pgregory.net/rapid"

// draw is a source of choices. rapid favours small numbers: what is common
// comes first wherever a list is drawn from.
type draw struct{ *rapid.T }

func pick[T any](d draw, items ...T) T { return rapid.SampledFrom(items).Draw(d.T, "pick") }

// mostly takes the common value unless a draw of percent says otherwise.
func mostly[T any](d draw, common T, percent int, rare ...T) T {
	if d.chance(percent) {
		return pick(d, rare...)
	}
	return common
}

// chance is true in about percent of all draws, a little less for high ones
// and a little more for very low ones.
func (d draw) chance(percent int) bool {
	return percent > 0 && rapid.IntRange(0, 99).Draw(d.T, "percent") >= 100-percent
}

func (d draw) between(low, high int) int { return rapid.IntRange(low, high).Draw(d.T, "number") }
