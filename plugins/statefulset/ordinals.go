package statefulset

import (
	"maps"
	"slices"
)

// ordinals are the Pods of a StatefulSet in their places, and the revisions that they are
// of and are to be of. Its methods but arrange read, and change nothing.
type ordinals struct {
	*target
	history *history
	// replicas are the Pods of the ordinals, condemned those beyond them, highest first.
	replicas, condemned []*pod
}

// arrange puts the Pods in their places, and those that are missing between them.
func (o *ordinals) arrange(all []*pod) {
	first, last := o.first(), o.lastOrdinal()
	placed := make(map[int]*pod, len(all))
	for _, p := range all {
		switch {
		case !o.beyond(p.ordinal):
			placed[p.ordinal] = p
		case p.ordinal >= 0:
			o.condemned = append(o.condemned, p)
		}
	}
	o.replicas = o.places(placed, first, last)
	slices.SortStableFunc(o.condemned, func(a, b *pod) int { return b.ordinal - a.ordinal })
}

// places are the Pods of the ordinals in their order, with those that are to be created.
// Where the sync ends with the first of these, those behind it are left out, so that the
// work grows with the Pods that exist, and not with spec.replicas.
func (o *ordinals) places(placed map[int]*pod, first, last int) []*pod {
	all := make([]*pod, 0, len(placed)+1)
	for n := first; n <= last; n++ {
		if p := placed[n]; p != nil {
			all = append(all, p)
			continue
		}
		all = append(all, o.missing(n))
		if o.endsAtMissing() {
			return append(all, behind(placed, n)...)
		}
	}
	return all
}

// behind are the Pods beyond an ordinal, in their order.
func behind(placed map[int]*pod, ordinal int) (all []*pod) {
	for _, n := range slices.Sorted(maps.Keys(placed)) {
		if n > ordinal {
			all = append(all, placed[n])
		}
	}
	return all
}

// firstUnavailable is the first Pod that is not available: of the ordinals, then of
// those beyond them from the lowest.
func (o *ordinals) firstUnavailable() *pod {
	for _, p := range o.replicas {
		if p.wanting(o.behaviour) {
			return p
		}
	}
	for _, p := range slices.Backward(o.condemned) {
		if p.wanting(o.behaviour) {
			return p
		}
	}
	return nil
}

// deletedAfter is the Pod beyond the ordinals that is deleted after one; empty for none.
func (o *ordinals) deletedAfter(p *pod) string {
	for _, other := range o.condemned {
		if other.ordinal < p.ordinal && !other.terminating() {
			return other.Name
		}
	}
	return ""
}

// old reports whether a Pod is of another revision than the update revision.
//
//go:noinline
func (o *ordinals) old(p *pod) bool { return p.revision != o.history.update.Name }

// outdated are the Pods of the ordinals that carry another revision than the update
// revision, and are not being deleted.
func (o *ordinals) outdated() (all []*pod) {
	for _, p := range o.replicas {
		if o.old(p) && p.created && !p.terminating() && !o.mayBeUpdated(p) {
			all = append(all, p)
		}
	}
	return all
}

// mayBeUpdated reports whether a Pod may carry the update revision under another name than
// the one made up for it: the revisions were not read. Without a label it carries none.
func (o *ordinals) mayBeUpdated(p *pod) bool {
	h := o.history
	return h.unread && h.unnamed() && p.created && o.old(p) && p.revision != h.replaced && p.revision != ""
}

// targets are the Pods that are updated, those beyond the partition.
//
//go:noinline // it is called at many places
func (o *ordinals) targets() []*pod { return o.replicas[min(partition(o.set), len(o.replicas)):] }

// behind reports whether a Pod below another one is still to be updated.
func (o *ordinals) behind(above *pod) bool {
	return slices.ContainsFunc(o.targets(), func(p *pod) bool { return p.ordinal < above.ordinal && o.old(p) })
}

// shrinks reports whether a Pod beyond the ordinals is still to be deleted.
func (o *ordinals) shrinks() bool {
	return slices.ContainsFunc(o.condemned, func(p *pod) bool { return !p.terminating() })
}
