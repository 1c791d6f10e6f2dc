package edge

import (
	"fmt"

	"k8s.io/component-base/featuregate"
)

// Gates switches feature gates of the process from state to state. Setting
// a gate copies maps upstream, so it is only done when something changes.
type Gates struct {
	gate featuregate.MutableFeatureGate
	// known are all gates with their defaults, which never change.
	known   map[featuregate.Feature]featuregate.FeatureSpec
	current map[string]bool
}

// NewGates are the gates of the process, all at their defaults.
func NewGates(gate featuregate.MutableFeatureGate) *Gates {
	return &Gates{gate: gate, known: gate.GetAll(), current: map[string]bool{}}
}

// Apply gives every gate in want that value and every gate that an earlier
// state changed its default again.
func (g *Gates) Apply(want map[string]bool) error {
	if len(want) == 0 && len(g.current) == 0 {
		return nil
	}
	next, err := g.withDefaults(want)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	for name, value := range next {
		if was, touched := g.current[name]; !touched || was != value {
			changed[name] = value
		}
	}
	if len(changed) == 0 {
		return nil
	}
	if err := g.gate.SetFromMap(changed); err != nil {
		return err
	}
	g.current = next
	return nil
}

func (g *Gates) withDefaults(want map[string]bool) (map[string]bool, error) {
	next := map[string]bool{}
	for name := range g.current {
		next[name] = g.known[featuregate.Feature(name)].Default
	}
	for name, value := range want {
		// A rejected SetFromMap poisons the gate for good (it keeps the raw
		// value and fails on it every time), so it must never be tried.
		spec, ok := g.known[featuregate.Feature(name)]
		if !ok {
			return nil, fmt.Errorf("feature gate %s is unknown to this version", name)
		}
		if spec.LockToDefault && value != spec.Default {
			return nil, fmt.Errorf("feature gate %s is locked to %t in this version", name, spec.Default)
		}
		next[name] = value
	}
	return next, nil
}
