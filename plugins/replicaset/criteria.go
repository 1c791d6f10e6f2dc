package replicaset

import (
	"fmt"
	"strconv"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// criterion is a step of the comparator with its column in the ranking.
type criterion struct {
	ranking.Criterion[traits]
	column string
	// insideID is the rule when the UID decides inside a bucket.
	insideID string
	// descending: the higher value goes first.
	descending bool
	show       func(*traits) string
	// ages shows two Pods whose ages decide; nil for what is no age.
	ages func(a, b *traits) (string, string)
}

func (c criterion) highFirst() criterion {
	c.descending = true
	return c
}

// comparator is the whole chain, with the bare steps that package ranking takes.
type comparator struct {
	criteria []criterion
	steps    []ranking.Criterion[traits]
}

func comparatorOf(b behaviour, now time.Time) comparator {
	c := comparator{criteria: criteriaOf(b, now)}
	for _, criterion := range c.criteria {
		c.steps = append(c.steps, criterion.Criterion)
	}
	return c
}

//go:noinline // it is called at many places
func (c comparator) compare(a, b *traits) ranking.Result { return ranking.Compare(c.steps, a, b) }

// criteriaOf are the steps of ActivePodsWithRanks.Less in
// pkg/controller/controller_utils.go (v1.37.1), in its order. A step that the
// modelled release does not have is left out.
func criteriaOf(b behaviour, now time.Time) []criterion {
	text := format.AgesAt(now)
	steps := []criterion{
		key(UnassignedFirst, "NODE", func(t *traits) ranking.Key { return ranking.First(t.unassigned) }, func(t *traits) string { return format.OrDash(t.node) }),
		key(PendingFirst, "PHASE", func(t *traits) ranking.Key { return ranking.Least(t.ordinal) }, func(t *traits) string { return format.OrDash(string(t.phase)) }),
		key(NotReadyFirst, "READY", func(t *traits) ranking.Key { return ranking.First(!t.ready) }, func(t *traits) string { return format.YesNo(t.ready) }),
	}
	if b.cost {
		steps = append(steps, key(LowerCostFirst, "COST", func(t *traits) ranking.Key { return ranking.Least(t.cost) }, showCost))
	}
	steps = append(steps,
		key(CoLocatedFirst, "PEERS", func(t *traits) ranking.Key { return ranking.Most(t.peers) }, func(t *traits) string { return strconv.Itoa(t.peers) }).highFirst(),
		b.aged(now, text, YoungerReadyFirst, ReadyBucketUID, "READY FOR", readyAge),
		key(RestartedFirst, "RESTARTS", func(t *traits) ranking.Key { return ranking.Most(t.restarts) }, func(t *traits) string { return strconv.Itoa(int(t.restarts)) }).highFirst(),
	)
	if b.sidecars {
		steps = append(steps, key(SidecarRestartedFirst, "SIDECARS", func(t *traits) ranking.Key { return ranking.Most(t.sidecar) }, func(t *traits) string { return strconv.Itoa(int(t.sidecar)) }).highFirst())
	}
	return append(steps, b.aged(now, text, YoungerFirst, AgeBucketUID, "AGE", createdAge))
}

// readyAge is the same for all pods that are not ready: the step then decides
// nothing among them, as upstream skips it.
func readyAge(t *traits) *age {
	if !t.ready {
		return &noAge
	}
	return &t.readySince
}

func createdAge(t *traits) *age { return &t.created }

// noAge is that of all Pods that are not ready.
var noAge age

func key(id, column string, by func(*traits) ranking.Key, show func(*traits) string) criterion {
	return criterion{Criterion: ranking.Criterion[traits]{ID: id, Bucket: by}, column: column, show: show}
}

// aged prefers the younger. With the LogarithmicScaleDown gate ages compare in
// powers of two, and inside one the lower UID goes first.
func (b behaviour) aged(now time.Time, text func(time.Time) string, id, insideID, column string, of func(*traits) *age) criterion {
	c := key(id, column, func(t *traits) ranking.Key { return ranking.Latest(of(t).at) }, func(t *traits) string { return text(of(t).at) })
	c.ages = func(a, b *traits) (string, string) { return format.Ages(of(a).at, of(b).at, now) }
	if !b.buckets {
		return c
	}
	c.insideID = insideID
	c.Bucket, c.Exact = func(t *traits) ranking.Key { return of(t).bucketed() }, c.Bucket
	c.Within = func(t *traits) ranking.Key { return ranking.Least(t.uid) }
	return c
}

// bucketed is by what ages compare in powers of two: none at all counts as the
// youngest, younger than those in the future.
func (a *age) bucketed() ranking.Key {
	if a.at.IsZero() {
		return ranking.Least(future - 1)
	}
	return ranking.Least(a.bucket)
}

// showCost names a value that upstream reads as 0 because it is invalid.
func showCost(t *traits) string {
	n := strconv.Itoa(int(t.cost))
	if t.shown.cost == "" || t.shown.cost == n {
		return n
	}
	return fmt.Sprintf("%s (%q)", n, t.shown.cost)
}
