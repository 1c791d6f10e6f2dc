package states

import "github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/random"

// draw makes choices. Small numbers are favoured: what is common comes first
// wherever a list is drawn from.
type draw struct{ random.Source }

func pick[T any](d draw, items ...T) T { return items[d.between(0, len(items)-1)] }

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
	return percent > 0 && d.between(0, 99) >= 100-percent
}

func (d draw) between(low, high int) int { return d.Between(low, high) }
