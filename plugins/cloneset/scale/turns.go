package scale

import (
	"math"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
)

// turn is a part of the pods that a sync deletes: those of one come before those
// of the next, and inside one the order is not deterministic.
type turn struct {
	pods []*core.PodState
	// least and most are how many of them are deleted: not all where a limit
	// leaves to chance which.
	least, most int
}

// sum is how many pods are deleted in all turns, at least and at most.
func sum(turns []turn) (least, most int) {
	for _, t := range turns {
		least, most = least+t.least, most+t.most
	}
	return least, most
}

// common are the turns that hold in all of several orders of deletions: one ends
// where in each of them a turn ends and the same pods came before.
func common(orders [][]turn) []turn {
	ends := agreed(orders)
	var out []turn
	seen := map[*core.PodState]bool{}
	for i, order := range orders {
		at, n, from := 0, 0, 0
		end := func(before int) {
			least, most := sum(order[from:before])
			if to := &out[at]; i == 0 {
				to.least, to.most = least, most
			} else {
				to.least, to.most = min(to.least, least), max(to.most, most)
			}
			at, from = at+1, before
		}
		for j, t := range order {
			if at == len(out) {
				out = append(out, turn{})
			}
			for _, m := range t.pods {
				if !seen[m] {
					seen[m], out[at].pods = true, append(out[at].pods, m)
				}
			}
			if n += len(t.pods); ends[n] == len(orders) {
				end(j + 1)
			}
		}
		if at < len(out) { // what is left ends in no two orders alike
			end(len(order))
		}
	}
	return out
}

// complete adds pods that chance may put among the last ones as well.
func complete(turns []turn, pods []*core.PodState) []turn {
	seen := map[*core.PodState]bool{}
	for _, t := range turns {
		for _, m := range t.pods {
			seen[m] = true
		}
	}
	for _, m := range pods {
		if last := len(turns) - 1; last >= 0 && !seen[m] {
			turns[last].pods = append(turns[last].pods, m)
		}
	}
	return turns
}

// agreed counts, for a number of pods, the orders in which a turn ends after so
// many, and they are those that come first in the first order.
func agreed(orders [][]turn) map[int]int {
	place := map[*core.PodState]int{}
	for _, t := range orders[0] {
		for _, m := range t.pods {
			place[m] = len(place)
		}
	}
	ends := map[int]int{}
	for _, order := range orders {
		n, last := 0, -1
		for _, t := range order {
			for _, m := range t.pods {
				at, known := place[m]
				if !known {
					at = math.MaxInt
				}
				n, last = n+1, max(last, at)
			}
			if last == n-1 {
				ends[n]++
			}
		}
	}
	return ends
}
