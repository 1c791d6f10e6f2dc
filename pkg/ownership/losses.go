package ownership

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// mostRivals bounds the others whose turns are combined: n of them have 2ⁿ.
const mostRivals = 5

// Losses lists what the object with UID one may find adopted by others when it
// comes to adopt the orphans, of which others would adopt each: for each choice
// of others that come first, the places of the orphans that they take, once.
// all is false when the others are too many for every choice to be listed: then
// there is one for each of a few of them, and one for all together.
func (a *Adopters) Losses(one types.UID, orphans []metav1.Object) (losses [][]int, all bool) {
	takes, all := a.takes(one, orphans)
	add := func(taken []bool) {
		loss := places(taken)
		if !slices.ContainsFunc(losses, func(l []int) bool { return slices.Equal(l, loss) }) {
			losses = append(losses, loss)
		}
	}
	if !all {
		for _, taken := range takes {
			add(taken)
		}
		add(slices.Repeat([]bool{true}, len(orphans)))
		return losses, false
	}
	for choice := 1; choice < 1<<len(takes); choice++ {
		add(union(takes, choice, len(orphans)))
	}
	return losses, true
}

// takes tells for each of the others which of the orphans it adopts. It is
// false when that are not all of them.
func (a *Adopters) takes(one types.UID, orphans []metav1.Object) (takes [][]bool, all bool) {
	all = true
	known := map[decision.Ref]int{}
	for at, orphan := range orphans {
		adopting := a.Adopting(orphan)
		all = all && adopting.n == len(adopting.first)
		for _, ref := range adopting.first {
			i, seen := known[ref]
			switch {
			case ref.UID == string(one):
				continue
			case !seen && len(takes) == mostRivals:
				all = false
				continue
			case !seen:
				i = len(takes)
				known[ref] = i
				takes = append(takes, make([]bool, len(orphans)))
			}
			takes[i][at] = true
		}
	}
	return takes, all
}

// union is what those take together whose bit is set in choice.
func union(takes [][]bool, choice, n int) []bool {
	out := make([]bool, n)
	for i, taken := range takes {
		for at := range taken {
			out[at] = out[at] || choice>>i&1 == 1 && taken[at]
		}
	}
	return out
}

func places(taken []bool) []int {
	var out []int
	for at, is := range taken {
		if is {
			out = append(out, at)
		}
	}
	return out
}
