package replicaset

import (
	"slices"
	"sort"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// horizon and work bound the search for the moment at which a ranking turns.
const (
	horizon = time.Hour
	work    = 20_000 // pods ranked again, over all moments tried
	// fewItems is how many moments are tried of few pods, of which all orders
	// of the list may be.
	fewItems = 100
)

// holdsUntil finds until when the fates stay as they are while nothing but the
// clock moves: pods leave their age buckets at known moments, and at each those
// around the cut are ranked again.
func (t *target) holdsUntil(items []traits, cut int, order ranking.Order) *time.Time {
	if !t.behaviour.buckets {
		return nil
	}
	g := t.around(cut, items, order)
	starts := startsOf(g.pods)
	tries := max(1, work/len(items))
	if len(items) <= t.behaviour.insertion {
		tries = min(tries, fewItems)
	}
	for i, edge := range starts.bucketEnds(t.now) {
		if i+1 >= tries || !starts.sameOrder(edge) && g.turns(edge) {
			// Some nanoseconds before a large power of two math.Log2 is there already.
			until := latest(t.now, edge.Truncate(time.Millisecond)).UTC()
			return &until
		}
	}
	return nil
}

// starts are the ages of pods, once each: pods of one second, such as those of
// one burst, share them.
type starts struct{ ready, created []age }

func startsOf(items []traits) starts {
	return starts{
		ready:   distinct(items, readyAge),
		created: distinct(items, createdAge),
	}
}

func distinct(items []traits, of func(*traits) *age) []age {
	var ages []age
	seen := map[time.Time]bool{}
	for i := range items {
		a := *of(&items[i])
		if len(ages) > 0 && ages[len(ages)-1] == a || seen[a.at] {
			continue
		}
		seen[a.at] = true
		ages = append(ages, a)
	}
	return ages
}

// sameOrder reports whether all ages compare at a later time as they do: time
// moves each bucket as a whole, and no two into one. Then the pods need not be
// ranked again.
func (s starts) sameOrder(later time.Time) bool {
	return movedWhole(s.ready, later) && movedWhole(s.created, later)
}

func movedWhole(ages []age, later time.Time) bool {
	var now [65]int64 // by the bucket before, which is -1 or more; 0 for none
	for _, a := range ages {
		from, to := a.bucket+1, a.bucket+2
		if !a.at.IsZero() { // pods that are not ready have no age that grows
			to = newAge(a.at, later).bucket + 2
		}
		if now[from] == 0 {
			now[from] = to
		}
		if now[from] != to {
			return false
		}
	}
	kept := slices.DeleteFunc(now[:], func(to int64) bool { return to == 0 })
	return slices.IsSorted(kept) && len(slices.Compact(kept)) == len(kept)
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

// bucketEnds lists, within the horizon, when an age enters another power of two.
func (s starts) bucketEnds(now time.Time) []time.Time {
	var ends []time.Time
	for _, a := range slices.Concat(s.ready, s.created) {
		if !a.at.IsZero() {
			ends = appendEnds(ends, a, now)
		}
	}
	sort.Slice(ends, func(i, j int) bool { return ends[i].Before(ends[j]) })
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
