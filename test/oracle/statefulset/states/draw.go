package states

import (
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Now is the instant of every state: the frozen clock of the oracles.
var Now = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// draw is a source of choices, all equally likely.
type draw struct{ *rand.Rand }

func pick[T any](d draw, items ...T) T { return items[d.IntN(len(items))] }

// mostly takes the common value unless a draw of percent says otherwise.
func mostly[T any](d draw, common T, percent int, rare ...T) T {
	if d.chance(percent) {
		return pick(d, rare...)
	}
	return common
}

// chance is true in percent of all draws.
func (d draw) chance(percent int) bool { return d.IntN(100) < percent }

func (d draw) between(low, high int) int { return low + d.IntN(high-low+1) }

func ago(seconds int) metav1.Time {
	return metav1.Time{Time: Now.Add(-time.Duration(seconds) * time.Second)}
}
