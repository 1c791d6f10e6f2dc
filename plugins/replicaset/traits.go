package replicaset

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podorder"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// shown is what the ranking shows of a pod as it is, taken from it once: the ranking goes
// through pods in its own order, and each look at one of many thousands would be a wait for
// memory.
type shown struct {
	ref   decision.Ref
	node  string
	phase corev1.PodPhase
	cost  string
}

// traits are what the comparator looks at, taken from a pod once.
type traits struct {
	*shown
	ordinal int
	// unassigned is so while it has no node.
	unassigned bool
	ready      bool
	cost       int32
	peers      int
	readySince age
	restarts   int32
	sidecar    int32
	created    age
	// uid is the place of the UID among those of all.
	uid int
	// part is that of the list before it is sorted: 1 for what this sync adopts
	// where owned ones come first.
	part int
}

// age is a point in time as the comparator sees it at now.
type age struct {
	at time.Time
	// bucket is the power of two of the nanoseconds passed.
	bucket int64
}

// future is the bucket of what is yet to come.
const future = -1

func newAge(at, now time.Time) age {
	a := age{at: at, bucket: future}
	// math.Log2 of the float, as upstream has it: just below a large power of
	// two it already rounds up (logarithmicRankDiff).
	if d := now.Sub(at); d > 0 {
		a.bucket = int64(math.Log2(float64(d)))
	}
	return a
}

func traitsOf(p *corev1.Pod, peers int, b behaviour, now time.Time) traits {
	return new(shown).traitsOf(p, peers, b, now)
}

// traitsOf makes s what is shown of the pod.
func (s *shown) traitsOf(p *corev1.Pod, peers int, b behaviour, now time.Time) traits {
	*s = shown{ref: ownership.RefTo(view.Pods, p), node: p.Spec.NodeName, phase: p.Status.Phase}
	ready, since := view.Readiness(p)
	t := traits{
		shown: s, ordinal: podorder.PhaseOrdinal(p.Status.Phase), unassigned: s.node == "",
		ready: ready, readySince: newAge(since, now), peers: peers,
		created: newAge(p.CreationTimestamp.Time, now),
	}
	t.restarts, t.sidecar = podorder.Restarts(p)
	if !b.sidecars {
		t.sidecar = 0
	}
	if b.cost {
		t.cost, _ = podorder.DeletionCost(p)
		s.cost = p.Annotations[corev1.PodDeletionCost]
	}
	return t
}

// placeUIDs numbers the UIDs in their order; equal ones share a number.
func placeUIDs(items []traits) {
	// The first bytes of a UID, which nearly always decide, above the index of its item.
	const first, index = 5, 24
	order := make([]uint64, len(items))
	for i := range items {
		var head [8]byte
		copy(head[:first], items[i].ref.UID)
		order[i] = binary.BigEndian.Uint64(head[:]) | uint64(i)
	}
	slices.Sort(order)
	at := func(i int) *traits { return &items[order[i]&(1<<index-1)] }
	for start, end := 0, 0; start < len(order); start = end {
		for end = start + 1; end < len(order) && order[end]>>index == order[start]>>index; end++ {
		}
		if alike := order[start:end]; len(alike) > 1 {
			sort.Slice(alike, func(i, j int) bool { return at(start+i).ref.UID < at(start+j).ref.UID })
		}
		for i := start; i < end; i++ {
			at(i).uid = i
			if i > start && at(i).ref.UID == at(i-1).ref.UID {
				at(i).uid = at(i - 1).uid
			}
		}
	}
}
