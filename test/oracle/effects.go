package oracle

import (
	"maps"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// Effects counts states by what their sync is decided to do: states in which a
// controller does nothing prove little.
type Effects map[string]int

// The effects that are counted. A state may have several.
const (
	Creates  = "creates Pods"
	Deletes  = "deletes Pods"
	Adopts   = "adopts Pods"
	Releases = "releases Pods"
	Idle     = "neither creates, deletes, adopts nor releases"
	// RanksMany has more Pods than Go's sort keeps in order where they tie.
	RanksMany = "ranks more than 12 Pods"
	// Bursts does as much as one sync can.
	Bursts = "meets the burst limit"
	// AdoptsAndDeletes ranks adopted Pods beside owned ones.
	AdoptsAndDeletes = "adopts and deletes Pods"
	// Crowded has four siblings or more.
	Crowded = "four siblings or more"
)

// burst is BurstReplicas of pkg/controller/replicaset/replica_set.go (v1.37.1).
const burst = 500

// atLeast are the shares, in percent of all states, below which a run of the
// generator shows too little.
var atLeast = map[string]int{
	Creates: 15, Deletes: 40, Adopts: 20, Releases: 10, RanksMany: 10, Bursts: 10, AdoptsAndDeletes: 15, Crowded: 10,
}

// Count adds one state.
func (e Effects) Count(req *contract.Request, d *decision.Decision) {
	s := d.Summary
	for effect, has := range map[string]bool{
		Creates: s.Create > 0, Deletes: s.Delete() > 0, Adopts: s.Adopt > 0, Releases: s.Release > 0,
		Idle:             s.Create+s.Delete()+s.Adopt+s.Release == 0,
		RanksMany:        d.Ranking != nil && len(d.Ranking.Rows) > 12,
		Bursts:           s.Create >= burst || s.Delete() >= burst,
		AdoptsAndDeletes: s.Adopt > 0 && s.Delete() > 0,
		Crowded:          len(req.ReplicaSets)+len(req.ReplicationControllers) > 4,
	} {
		if has {
			e[effect]++
		}
	}
}

// Scarce lists the effects of which n states had too few.
func (e Effects) Scarce(n int) []string {
	var scarce []string
	for _, effect := range slices.Sorted(maps.Keys(atLeast)) {
		if e[effect]*100 < atLeast[effect]*n {
			scarce = append(scarce, effect)
		}
	}
	return scarce
}
