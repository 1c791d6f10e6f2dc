package profile

import (
	"fmt"
	"maps"
	"slices"
)

// Releases are what differs between the releases of Kubernetes in a controller that is
// modelled, as the controller declares it. What several share is added where they are read.
type Releases struct {
	// Gates are the feature gates that it reads, but those of OfSets.
	Gates []Gate
	// Changes are those that no gate switches.
	Changes []Change
}

// And returns what is declared by two.
func (r Releases) And(other Releases) Releases {
	return Releases{Gates: slices.Concat(r.Gates, other.Gates), Changes: slices.Concat(r.Changes, other.Changes)}
}

// gates are the declared gates and the shared ones, by name.
func (r Releases) gates() map[string]Gate { return byName(slices.Concat(OfSets, r.Gates)) }

func byName(gates []Gate) map[string]Gate {
	all := map[string]Gate{}
	for _, g := range gates {
		all[g.Name] = g
	}
	return all
}

// check refuses a gate that is declared with two lives.
func (r Releases) check() error {
	all := r.gates()
	for _, g := range slices.Concat(OfSets, r.Gates) {
		if last := all[g.Name]; g != last {
			return fmt.Errorf("feature gate %s is declared with two lives: %+v and %+v", g.Name, g, last)
		}
	}
	return nil
}

// GateNames lists the known feature gates in alphabetical order.
func (r Releases) GateNames() []string { return slices.Sorted(maps.Keys(r.gates())) }

// ParseGates reads "PodDeletionCost=false,LogarithmicScaleDown=true". Errors:
// what is neither true nor false, and a gate that nothing here consults.
func (r Releases) ParseGates(s string) (map[string]bool, error) {
	return parseGates(s, "one", r.GateNames())
}
