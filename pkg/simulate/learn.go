package simulate

import (
	"sort"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// assumed is how long a pod takes to become ready when nothing tells.
const assumed = 30 * time.Second

// learn settles how long a pod takes to become ready: as asked, else the
// median of what the target's own pods took, else an assumption.
func (r *run) learn(all []*Sync) decision.ReadyAfter {
	why := decision.Ruled(ReadyAfterAssumed)
	r.model.SetReadyAfter(assumed)
	var seen []StartUp
	for _, s := range all {
		if s.StartUps != nil {
			seen = append(seen, s.StartUps()...)
		}
	}
	switch {
	case r.o.ReadyAfter != nil:
		r.model.SetReadyAfter(*r.o.ReadyAfter)
		why = decision.Ruled(ReadyAfterGiven)
	case len(seen) > 0:
		var took time.Duration
		took, why = median(seen)
		r.model.SetReadyAfter(took)
	}
	return decision.ReadyAfter{Duration: decision.Span(r.model.ReadyAfter()), Ruling: why}
}

// median is the middle one, of an even number the earlier of the two in the middle.
func median(seen []StartUp) (time.Duration, decision.Ruling) {
	sort.Slice(seen, func(i, j int) bool { return seen[i].Took < seen[j].Took })
	updated := 0
	for _, s := range seen {
		if s.InPlace {
			updated++
		}
	}
	return seen[(len(seen)-1)/2].Took, decision.Ruled(ReadyAfterSeen,
		decision.F(keyPods, len(seen)), decision.F(keyCreated, len(seen)-updated), decision.F(keyUpdated, updated),
		decision.F(keyFastest, seen[0].Took.String()), decision.F(keySlowest, seen[len(seen)-1].Took.String()))
}
