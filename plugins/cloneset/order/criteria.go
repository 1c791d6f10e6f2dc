package order

import (
	"fmt"
	"strconv"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podorder"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// Sorter orders the Pods of a set as a release does.
type Sorter struct {
	r   *view.Reader
	set *api.Set
	now time.Time
	// sidecars: their restarts order updates; stablePriority: Pods of one priority keep
	// their order.
	sidecars, stablePriority bool
}

// NewSorter returns a Sorter of a set's Pods.
func NewSorter(r *view.Reader, set *api.Set, b core.Behaviour) Sorter {
	return Sorter{r: r, set: set, now: r.Now(), sidecars: b.Sidecars, stablePriority: b.StablePriority}
}

// Traits are what the comparators look at, taken from a pod once.
type Traits struct {
	*core.PodState
	ordinal  int
	cost     int32
	rank     float64
	restarts int32
	sidecar  int32
}

// Criterion is a step of a comparator with its column in the ranking.
type Criterion struct {
	ranking.Criterion[Traits]
	Column string
	// Descending: the higher value goes first.
	Descending bool
	Show       func(*Traits) string
	ages       func(a, b *Traits) (string, string)
}

// Values shows two Pods that the step tells apart, so that their values differ if they can.
func (c Criterion) Values(a, b *Traits) (string, string) {
	if c.ages != nil {
		return c.ages(a, b)
	}
	return c.Show(a), c.Show(b)
}

// aged is a step that compares when something was.
func (c Criterion) aged(now time.Time, since func(*Traits) time.Time) Criterion {
	c.Show = func(t *Traits) string { return format.Age(since(t), now) }
	c.ages = func(a, b *Traits) (string, string) { return format.Ages(since(a), since(b), now) }
	return c
}

// TraitsOf takes them from a Pod.
func (s Sorter) TraitsOf(m *core.PodState) Traits {
	t := Traits{PodState: m, ordinal: podorder.PhaseOrdinal(m.Pod.Status.Phase)}
	t.cost, _ = podorder.DeletionCost(m.Pod)
	t.restarts, t.sidecar = podorder.Restarts(m.Pod)
	if !s.sidecars {
		t.sidecar = 0
	}
	return t
}

// The steps that both comparators share, from Traits alone.
var (
	onNoNode  = key(rules.UnassignedFirst, "NODE", func(t *Traits) ranking.Key { return ranking.First(t.Pod.Spec.NodeName == "") }, func(t *Traits) string { return format.OrDash(t.Pod.Spec.NodeName) })
	byPhase   = key(rules.PhaseFirst, "PHASE", func(t *Traits) ranking.Key { return ranking.Least(t.ordinal) }, func(t *Traits) string { return format.OrDash(string(t.Pod.Status.Phase)) })
	byReady   = key(rules.NotReadyFirst, "READY", func(t *Traits) ranking.Key { return ranking.First(!t.PodReady) }, func(t *Traits) string { return format.YesNo(t.PodReady) })
	byAvail   = key(rules.UnavailableFirst, "AVAILABLE", func(t *Traits) ranking.Key { return ranking.First(!t.Available) }, func(t *Traits) string { return format.YesNo(t.Available) })
	byCost    = key(rules.LowerCostFirst, "COST", func(t *Traits) ranking.Key { return ranking.Least(t.cost) }, func(t *Traits) string { return fmt.Sprint(t.cost) })
	byRestart = key(rules.RestartsFirst, "RESTARTS", func(t *Traits) ranking.Key { return ranking.Most(t.restarts) }, func(t *Traits) string { return fmt.Sprint(t.restarts) }).highFirst()
	bySidecar = key(rules.SidecarRestartsFirst, "SIDECARS", func(t *Traits) ranking.Key { return ranking.Most(t.sidecar) }, func(t *Traits) string { return fmt.Sprint(t.sidecar) }).highFirst()
)

func byReadyTime(now time.Time) Criterion {
	return key(rules.LatestReadyFirst, "READY FOR", func(t *Traits) ranking.Key {
		if !t.PodReady {
			return ranking.Key{} // the step before told it from those that are ready
		}
		return ranking.Latest(t.ReadySince)
	}, nil).aged(now, func(t *Traits) time.Time { return t.ReadySince })
}

func byCreation(now time.Time) Criterion {
	return key(rules.NewestFirst, "AGE", func(t *Traits) ranking.Key { return ranking.Latest(t.Pod.CreationTimestamp.Time) }, nil).
		aged(now, func(t *Traits) time.Time { return t.Pod.CreationTimestamp.Time })
}

// DeletionCriteria are the steps of ActivePodsWithRanks.Less in
// utils/pod_sorter.go (v1.9.1). Ages compare exactly, so that the order is a
// plain one, with ties.
func (s Sorter) DeletionCriteria(rankRule, rankColumn string) []Criterion {
	byRank := key(rankRule, rankColumn, func(t *Traits) ranking.Key { return ranking.Heaviest(t.rank) }, func(t *Traits) string { return strconv.FormatFloat(t.rank, 'g', 4, 64) }).highFirst()
	return []Criterion{onNoNode, byPhase, byAvail, byReady, byCost, byRank, byReadyTime(s.now), byRestart, byCreation(s.now)}
}

// updateCriteria are the steps of ActivePods.Less in k8s.io/kubernetes/pkg/
// controller/controller_utils.go, of the release that Kruise is built with.
func (s Sorter) updateCriteria() []Criterion {
	steps := []Criterion{onNoNode, byPhase, byReady, byReadyTime(s.now), byRestart}
	if s.sidecars {
		steps = append(steps, bySidecar)
	}
	return append(steps, byCreation(s.now))
}

func key(id, column string, by func(*Traits) ranking.Key, show func(*Traits) string) Criterion {
	return Criterion{Criterion: ranking.Criterion[Traits]{ID: id, Bucket: by}, Column: column, Show: show}
}

func (c Criterion) highFirst() Criterion {
	c.Descending = true
	return c
}

// Plain returns the steps without their columns.
func Plain(cs []Criterion) []ranking.Criterion[Traits] {
	out := make([]ranking.Criterion[Traits], len(cs))
	for i, c := range cs {
		out[i] = c.Criterion
	}
	return out
}
