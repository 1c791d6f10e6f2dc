package states

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/random"
)

// Now is the instant of every state: the frozen clock of the oracles.
var Now = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

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

// chance is true in about percent of all draws.
func (d draw) chance(percent int) bool {
	return percent > 0 && d.between(0, 99) >= 100-percent
}

func (d draw) between(low, high int) int { return d.Between(low, high) }

// some is between as the API's type.
func (d draw) some(low, high int) int32 { return int32(d.between(low, high)) }

func ago(seconds int) metav1.Time {
	return metav1.Time{Time: Now.Add(-time.Duration(seconds) * time.Second)}
}
