package replicaset

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
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
	ordinal    int
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
		shown: s, ordinal: podorder.PhaseOrdinal(p.Status.Phase),
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
	type uid struct {
		first uint64 // the first bytes, which nearly always decide
		item  int
	}
	uids := make([]uid, len(items))
	for i := range items {
		var first [8]byte
		copy(first[:], items[i].ref.UID)
		uids[i] = uid{binary.BigEndian.Uint64(first[:]), i}
	}
	slices.SortFunc(uids, func(a, b uid) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(items[a.item].ref.UID, items[b.item].ref.UID)
	})
	for i, u := range uids {
		items[u.item].uid = i
		if i == 0 {
			continue
		}
		if before := &items[uids[i-1].item]; before.ref.UID == items[u.item].ref.UID {
			items[u.item].uid = before.uid
		}
	}
}
