package ownership

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// mostRivals bounds the others whose turns are combined: n of them have 2ⁿ.
const mostRivals = 5

// Lost are the UIDs of orphans that other controllers adopt first.
type Lost = sets.Set[types.UID]

// Losses lists what the object with UID one may find adopted by others when it
// comes to adopt the orphans, of which others would adopt each: for each choice
// of others that come first, the orphans that they take, once. all is false when
// the others are too many for every choice to be listed: then there is one for
// each of a few of them, and one for all together.
func Losses[T metav1.Object](a *Adopters, one types.UID, orphans []T) (losses []Lost, all bool) {
	takes, all := takenBy(a, one, orphans)
	add := func(loss Lost) {
		if !slices.ContainsFunc(losses, loss.Equal) {
			losses = append(losses, loss)
		}
	}
	if !all {
		every := Lost{}
		for _, orphan := range orphans {
			every.Insert(orphan.GetUID())
		}
		for _, taken := range append(takes, every) {
			add(taken)
		}
		return losses, false
	}
	for choice := 1; choice < 1<<len(takes); choice++ {
		loss := Lost{}
		for i, taken := range takes {
			if choice>>i&1 == 1 {
				loss = loss.Union(taken)
			}
		}
		add(loss)
	}
	return losses, true
}

// takenBy lists for each of the others which of the orphans it adopts. all is
// false when these are not all of the others.
func takenBy[T metav1.Object](a *Adopters, one types.UID, orphans []T) (takes []Lost, all bool) {
	all = true
	known := map[decision.Ref]Lost{}
	for _, orphan := range orphans {
		adopting := a.Adopting(orphan)
		all = all && adopting.n == len(adopting.first)
		for _, ref := range adopting.first {
			switch _, seen := known[ref]; {
			case ref.UID == string(one):
				continue
			case !seen && len(takes) == mostRivals:
				all = false
				continue
			case !seen:
				known[ref] = Lost{}
				takes = append(takes, known[ref])
			}
			known[ref].Insert(orphan.GetUID())
		}
	}
	return takes, all
}
