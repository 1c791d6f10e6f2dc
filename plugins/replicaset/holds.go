package replicaset

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// horizon and work bound the search for the moment at which a ranking turns.
const (
	horizon = time.Hour
	work    = 20_000 // pods ranked again, over all moments tried
)

// holdsUntil finds until when the fates stay as they are while nothing but the
// clock moves: pods leave their age buckets at known moments, and at each the
// ranking is made again.
func (s *sync) holdsUntil(items []traits, cut int, order ranking.Order) *time.Time {
	if !s.behaviour.buckets {
		return nil
	}
	edges := bucketEnds(items, s.now)
	before := fates(order, cut, len(items))
	tries := max(1, work/len(items))
	older, steps := slices.Clone(items), comparatorOf(s.behaviour, s.now).steps
	for i, edge := range edges {
		grow(older, edge)
		later := ranking.Sort(older, steps)
		if i+1 >= tries || !slices.Equal(before, fates(later, cut, len(items))) {
			// Some nanoseconds before a large power of two math.Log2 is there already.
			until := latest(s.now, edge.Truncate(time.Millisecond))
			return &until
		}
	}
	return nil
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// grow makes the traits those of a later time.
func grow(items []traits, now time.Time) {
	for i := range items {
		items[i].readySince = newAge(items[i].readySince.at, now)
		items[i].created = newAge(items[i].created.at, now)
	}
}

// bucketEnds lists, within the horizon, when a pod's age enters another power
// of two. Pods of one second do so together and are tried once.
func bucketEnds(items []traits, now time.Time) []time.Time {
	var ends []time.Time
	for i := range items {
		for _, a := range []age{readyAge(&items[i]), items[i].created} {
			if a.at.IsZero() {
				continue
			}
			ends = appendEnds(ends, a, now)
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	return slices.CompactFunc(ends, time.Time.Equal)
}

func appendEnds(ends []time.Time, a age, now time.Time) []time.Time {
	for bucket := a.bucket + 1; bucket < 63; bucket++ {
		end := a.at.Add(time.Duration(1) << bucket)
		if !end.Before(now.Add(horizon)) {
			break
		}
		if end.After(now) {
			ends = append(ends, end)
		}
	}
	return ends
}

// fates lists each item's fate by its index.
func fates(order ranking.Order, cut, n int) []decision.Fate {
	out := make([]decision.Fate, n)
	for _, b := range order.Blocks() {
		for _, item := range order.Items[b.Start:b.End] {
			out[item] = fate(b, cut)
		}
	}
	return out
}
