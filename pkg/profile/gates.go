package profile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The feature gates that the controllers of ReplicaSets and Deployments share.
const (
	PodDeletionCost      = "PodDeletionCost"
	LogarithmicScaleDown = "LogarithmicScaleDown"
	TerminatingReplicas  = "DeploymentReplicaSetTerminatingReplicas"
	StaleConsistency     = "StaleControllerConsistencyReplicaSet"
)

// OfSets are the gates of the controllers of ReplicaSets and Deployments. A gate that
// one controller alone reads is declared by that controller: see Releases.
var OfSets = []Gate{
	{Name: PodDeletionCost, Since: 21, On: 22},
	{Name: LogarithmicScaleDown, Since: 21, On: 22, Locked: 31},
	{Name: TerminatingReplicas, Since: 33, On: 35},
	{Name: StaleConsistency, Since: 36, On: 36},
}

// Gate is the life of a feature gate in minors of Kubernetes 1
// (pkg/features/kube_features.go of each release). Zero means never.
type Gate struct {
	Name string
	// Since is the first minor that has the gate, On the first in which it is on by
	// default, and Locked the first that refuses to switch it off.
	Since, On, Locked int
	// Beta is the first in which it is beta, where that is not On.
	Beta int
	// Off is the release after On in which it is off again, until Back; zero for none.
	Off, Back Version
}

// stage is what the gate counts as in v.
func (g Gate) stage(v Version) stage {
	switch matured := cmp.Or(g.Beta, g.On); {
	case g.lockedIn(v):
		return stable
	case reached(v, matured):
		return beta
	}
	return alpha
}

// reached reports whether v is of a minor or later; never for 0.
func reached(v Version, minor int) bool { return minor > 0 && v.Minor >= minor }

// lockedIn reports whether v refuses to switch the gate off.
func (g Gate) lockedIn(v Version) bool { return reached(v, g.Locked) }

// offIn reports whether v has the gate off again.
func (g Gate) offIn(v Version) bool {
	return g.Off.Minor > 0 && v.AtLeast(g.Off.Minor, g.Off.Patch) && !v.AtLeast(g.Back.Minor, g.Back.Patch)
}

// defaultGates are those of the gates that exist in v, with their defaults.
func defaultGates(gates map[string]Gate, v Version) map[string]bool {
	on := map[string]bool{}
	for name, g := range gates {
		if v.Minor >= g.Since {
			on[name] = reached(v, g.On) && !g.offIn(v)
		}
	}
	return on
}

// missing is the error of a gate that a release of a product does not have.
func (g Gate) missing(product string, v Version) error {
	return fmt.Errorf("feature gate %s does not exist in %s %s (it came with 1.%d)", g.Name, product, v, g.Since)
}

// readGates sets gates of a release as the command line of a manager does, and reports
// whether it names any of them.
func readGates(gates map[string]bool, declared map[string]Gate, v Version, flags gateFlags) (some bool) {
	for name := range gates {
		g := declared[name]
		on, set := flags.of(name, g.stage(v))
		if set && (on || !g.lockedIn(v)) {
			gates[name], some = on, true
		}
	}
	return some
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

// set sets gates as the controller manager of v would accept them.
func (p *Profile) set(v Version, gates map[string]bool) error {
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		g := p.declared[name]
		if v.Minor < g.Since {
			return g.missing("Kubernetes", v)
		}
		if g.lockedIn(v) && !gates[name] {
			return fmt.Errorf("feature gate %s can't be switched off since Kubernetes 1.%d (modelled: %s)", name, g.Locked, v)
		}
		p.Gates[name] = gates[name]
	}
	return nil
}
