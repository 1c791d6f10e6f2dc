package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// OldestKruise and NewestKruise bound the releases whose behaviour is modelled.
var (
	OldestKruise = Version{1, 5, -1}
	NewestKruise = Version{1, 9, -1}
)

// Kruise is the modelled kruise-manager.
type Kruise struct {
	Version    Version
	Basis      string
	Gates      map[string]bool
	GatesBasis string
	// ExcludePreparingDelete is the flag --cloneset-scaling-exclude-preparing-delete.
	ExcludePreparingDelete bool
	// Caveat is set when the version can't be modelled exactly.
	Caveat string
	// Unelected: it runs with --enable-leader-election=false, and holds no Lease.
	Unelected bool
}

// KruiseOptions are what a user says about the kruise-manager.
type KruiseOptions struct {
	// Version is the --kruise-version flag, empty when not given.
	Version string
	// Gates are the --kruise-feature-gates flag, read by ParseKruiseGates.
	Gates map[string]bool
}

// Check refuses a version that does not parse and a gate that it does not have.
func (o KruiseOptions) Check() error {
	v := NewestKruise
	if o.Version != "" {
		var err error
		if v, err = ParseVersion(o.Version); err != nil {
			return fmt.Errorf("%q is no Kruise version: want major.minor or major.minor.patch, such as 1.9", o.Version)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Gates)) {
		if g := kruiseGates[name]; v.kruiseCode().Minor < g.since {
			return fmt.Errorf("feature gate %s does not exist in Kruise %s (it came with 1.%d)", name, v, g.since)
		}
	}
	return nil
}

// Kruise is the manager to model: what the user says, else what its Deployment
// says, else the newest release with its defaults.
func (o KruiseOptions) Kruise(m Manager) Kruise {
	k := Kruise{Version: NewestKruise, Basis: "assumed, its Deployment was not read", GatesBasis: "defaults of this version"}
	if v, ok := m.version(); ok {
		k.Version, k.Basis = v, "kruise-manager image "+m.tag()
	} else if m.Image != "" {
		k.Basis = fmt.Sprintf("assumed, the image tag %q of kruise-manager names no version", m.tag())
	}
	if v, err := ParseVersion(o.Version); err == nil {
		k.Version, k.Basis = v, "--kruise-version"
	}
	k.Version, k.Caveat = k.Version.within("Kruise", OldestKruise, NewestKruise)
	if code := k.Version.kruiseCode(); code != k.Version {
		k.Version, k.Basis = code, fmt.Sprintf("%s, which is the code of %s", k.Basis, code)
	}
	k.Gates = defaultKruiseGates(k.Version)
	k.readArgs(m)
	for name, on := range o.Gates {
		k.set(name, on)
		k.GatesBasis = "--kruise-feature-gates, else " + strings.TrimPrefix(k.GatesBasis, "--kruise-feature-gates, else ")
	}
	k.forced()
	return k
}

// kruiseCode is the release whose code a release of Kruise has: the tag v1.7.5
// names the commit of v1.8.3.
func (v Version) kruiseCode() Version {
	if v == (Version{1, 7, 5}) {
		return Version{1, 8, 3}
	}
	return v
}

// On tells whether a gate exists and is on.
func (k Kruise) On(gate string) bool { return k.Gates[gate] }

// Changed lists the gates that are not as the version has them by default, as
// Name=true.
func (k Kruise) Changed() []string {
	changed := []string{}
	for name, on := range defaultKruiseGates(k.Version) {
		if k.Gates[name] != on {
			changed = append(changed, fmt.Sprintf("%s=%v", name, k.Gates[name]))
		}
	}
	slices.Sort(changed)
	return changed
}

// readArgs applies the command line of the Deployment.
func (k *Kruise) readArgs(m Manager) {
	if m.Image == "" {
		return
	}
	k.GatesBasis = "kruise-manager arguments, else defaults of this version"
	k.readGates(m.featureGates())
	k.Unelected = m.unelected(enableLeaderElection)
	for name, value := range m.flags() {
		if name == excludePreparingDelete {
			k.ExcludePreparingDelete = value == "" || value == "true"
		}
	}
}
