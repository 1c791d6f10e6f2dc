package profile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The feature gates that the modelled controllers consult.
const (
	PodDeletionCost      = "PodDeletionCost"
	LogarithmicScaleDown = "LogarithmicScaleDown"
	TerminatingReplicas  = "DeploymentReplicaSetTerminatingReplicas"
	StaleConsistency     = "StaleControllerConsistencyReplicaSet"

	MaxUnavailableStatefulSet   = "MaxUnavailableStatefulSet"
	AutoDeletePVC               = "StatefulSetAutoDeletePVC"
	StartOrdinal                = "StatefulSetStartOrdinal"
	PodIndexLabel               = "PodIndexLabel"
	SemanticRevisionComparison  = "StatefulSetSemanticRevisionComparison"
	RecreateStrategy            = "StatefulSetRecreateStrategy"
	StaleStatefulSetConsistency = "StaleControllerConsistencyStatefulSet"
)

// OfSets are those of the controllers of ReplicaSets and Deployments.
var OfSets = []string{PodDeletionCost, LogarithmicScaleDown, TerminatingReplicas, StaleConsistency}

// gate is the life of a feature gate in minors of Kubernetes 1
// (pkg/features/kube_features.go of each release). Zero means never.
type gate struct {
	since, on, locked int
	// off is the release after on in which it is off again, until back; zero for none.
	off, back Version
}

var gates = map[string]gate{
	PodDeletionCost:      {since: 21, on: 22},
	LogarithmicScaleDown: {since: 21, on: 22, locked: 31},
	TerminatingReplicas:  {since: 33, on: 35},
	StaleConsistency:     {since: 36, on: 36},

	// Of StatefulSets, lives before 1.29 are left out: they are modelled from then on.
	MaxUnavailableStatefulSet:   {since: 21, on: 35, off: Version{1, 35, 4}, back: Version{1, 37, 0}},
	AutoDeletePVC:               {since: 21, on: 21, locked: 32},
	StartOrdinal:                {since: 21, on: 21, locked: 31},
	PodIndexLabel:               {since: 21, on: 21, locked: 32},
	SemanticRevisionComparison:  {since: 34, on: 34},
	RecreateStrategy:            {since: 37, on: 38},
	StaleStatefulSetConsistency: {since: 36, on: 36},
}

// stage is what the gate counts as in v.
func (g gate) stage(v Version) stage {
	switch {
	case g.lockedIn(v):
		return stable
	case v.Minor >= g.on:
		return beta
	}
	return alpha
}

// lockedIn reports whether v refuses to switch the gate off.
func (g gate) lockedIn(v Version) bool { return g.locked > 0 && v.Minor >= g.locked }

// offIn reports whether v has the gate off again.
func (g gate) offIn(v Version) bool {
	return g.off.Minor > 0 && v.AtLeast(g.off.Minor, g.off.Patch) && !v.AtLeast(g.back.Minor, g.back.Patch)
}

// GateNames lists the known feature gates in alphabetical order.
func GateNames() []string { return slices.Sorted(maps.Keys(gates)) }

// defaultGates are the gates that exist in v with their defaults.
func defaultGates(v Version) map[string]bool {
	on := map[string]bool{}
	for name, g := range gates {
		if v.Minor >= g.since {
			on[name] = v.Minor >= g.on && !g.offIn(v)
		}
	}
	return on
}

// ParseGates reads "PodDeletionCost=false,LogarithmicScaleDown=true". Errors:
// what is neither true nor false, and a gate that nothing here consults.
func ParseGates(s string) (map[string]bool, error) {
	return parseGates(s, "one", GateNames())
}

// parseGates reads gates of a product; one is how its gates are called.
func parseGates(s, one string, known []string) (map[string]bool, error) {
	out := map[string]bool{}
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		name, value, ok := strings.Cut(item, "=")
		on, err := strconv.ParseBool(value)
		if !ok || err != nil {
			return nil, fmt.Errorf("feature gate %q: want Name=true or Name=false", item)
		}
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("feature gate %q is not %s that the modelled controllers consult: %s", name, one, strings.Join(known, ", "))
		}
		out[name] = on
	}
	return out, nil
}

// applyGates sets gates as the controller manager of v would accept them.
func applyGates(v Version, on, set map[string]bool) error {
	for name, value := range set {
		g := gates[name]
		if v.Minor < g.since {
			return fmt.Errorf("feature gate %s does not exist in Kubernetes %s (it came with 1.%d)", name, v, g.since)
		}
		if g.lockedIn(v) && !value {
			return fmt.Errorf("feature gate %s can't be switched off since Kubernetes 1.%d (modelled: %s)", name, g.locked, v)
		}
		on[name] = value
	}
	return nil
}
