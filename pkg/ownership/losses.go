package ownership

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostRivals bounds the others whose turns are combined: n of them have 2ⁿ.
const mostRivals = 5

// Lost are the UIDs of orphans that other controllers adopt first.
type Lost = sets.Set[types.UID]

// Losses lists what the object with UID one may find adopted by others when it
// comes to adopt the orphans, at least one and all of one kind and namespace, of which others
// would adopt each: for each choice of others that come first, the orphans that they take, once.
// all is false when the others are too many for every choice to be listed: then there is one for
// each of a few of them, and one for all together; and where files lack controllers that may
// adopt them.
func Losses[T metav1.Object](r *view.Reader, k view.Kind, one types.UID, orphans []T) (losses []Lost, all bool) {
	namespace := orphans[0].GetNamespace()
	losses, all = lossesTo(AdoptersOf(r, k, namespace), one, orphans)
	if _, n := unseenAdopters(r, k, namespace); n == 0 {
		return losses, all
	}
	every := Lost{}
	for _, orphan := range orphans {
		every.Insert(orphan.GetUID())
	}
	return append(losses, every), false
}

func lossesTo[T metav1.Object](a *Adopters, one types.UID, orphans []T) (losses []Lost, all bool) {
	alike := sorted(a, orphans)
	takes, all := takenBy(one, alike)
	var taken []places
	add := func(loss places) {
		if !slices.ContainsFunc(taken, loss.Equal) {
			taken = append(taken, loss)
		}
	}
	for choice := 1; all && choice < 1<<len(takes); choice++ {
		loss := places{}
		for i, take := range takes {
			if choice>>i&1 == 1 {
				loss = loss.Union(take)
			}
		}
		add(loss)
	}
	if !all {
		every := places{}
		for i := range alike {
			every.Insert(i)
		}
		for _, take := range append(takes, every) {
			add(take)
		}
	}
	for _, loss := range taken {
		losses = append(losses, lost(loss, alike))
	}
	return losses, all
}

// NamesOf lists the first names of objects.
func NamesOf[T metav1.Object](objs []T) string {
	var names []string
	for _, obj := range objs[:min(len(objs), format.Most)] {
		names = append(names, obj.GetName())
	}
	return format.Some(names, len(objs))
}

// likes are orphans that the same controllers adopt.
type likes struct {
	by      *Adopting
	orphans []types.UID
}

// places are those of likes in their list.
type places = sets.Set[int]

// sorted puts orphans together that the same controllers adopt.
func sorted[T metav1.Object](a *Adopters, orphans []T) []likes {
	var out []likes
	place := map[*Adopting]int{}
	for _, orphan := range orphans {
		by := a.Adopting(orphan)
		i, seen := place[by]
		if !seen {
			i = len(out)
			place[by], out = i, append(out, likes{by: by})
		}
		out[i].orphans = append(out[i].orphans, orphan.GetUID())
	}
	return out
}

func lost(of places, alike []likes) Lost {
	out := Lost{}
	for i := range of {
		out.Insert(alike[i].orphans...)
	}
	return out
}

// takenBy lists for each of the others what it adopts. all is false when these
// are not all of the others.
func takenBy(one types.UID, alike []likes) (takes []places, all bool) {
	all = true
	known := map[decision.Ref]places{}
	for i, like := range alike {
		all = all && like.by.n == len(like.by.first)
		for _, ref := range like.by.first {
			switch _, seen := known[ref]; {
			case ref.UID == string(one):
				continue
			case !seen && len(takes) == mostRivals:
				all = false
				continue
			case !seen:
				known[ref] = places{}
				takes = append(takes, known[ref])
			}
			known[ref].Insert(i)
		}
	}
	return takes, all
}
