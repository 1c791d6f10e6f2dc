package profile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// Program is a controller manager that is installed beside Kubernetes' own, with what
// differs between its releases, as the plugin of its controllers declares it. The minors of
// its table are those that are modelled.
type Program struct {
	manager.Program
	// Project is the one that makes its Product.
	Project string
	// Gates are the feature gates that its modelled controllers read, in minors of its
	// Product. ExampleGate is one of them as help shows it.
	Gates       []Gate
	ExampleGate string
	// Retagged are the releases whose tag names the code of another one.
	Retagged map[Version]Version
}

// ProgramOptions are what a user says about a Program.
type ProgramOptions struct {
	// Version is the flag for its version, empty when not given.
	Version string `json:"version,omitempty"`
	// Gates are the flag for its feature gates, read by ParseGates.
	Gates map[string]bool `json:"gates,omitempty"`
}

// Installed is a Program as it is modelled.
type Installed struct {
	Version Version
	// Basis says how Version was learned.
	Basis      string
	Gates      map[string]bool
	GatesBasis string
	// Flags are those of its command line, by name; nil where that was not read.
	Flags map[string]string
	// Caveat is set when the version can't be modelled exactly.
	Caveat string
	// Unelected: it runs without leader election, and holds no Lease.
	Unelected bool
}

// On reports whether a gate exists and is on.
func (i Installed) On(gate string) bool { return i.Gates[gate] }

// VersionFlag and GatesFlag are the flags about the program.
func (p Program) VersionFlag() string { return p.prefix() + "-version" }

// GatesFlag is the one for its feature gates.
//
//go:noinline // it is called at many places
func (p Program) GatesFlag() string { return p.prefix() + "-feature-gates" }

func (p Program) prefix() string { return strings.ReplaceAll(strings.ToLower(p.Product), " ", "-") }

// Versions are the releases whose behaviour is modelled, the oldest first.
func (p Program) Versions() (all []Version) {
	for minor := p.Oldest(); minor <= p.Newest(); minor++ {
		all = append(all, V1(minor, -1))
	}
	return all
}

// GateNames lists the known gates in alphabetical order.
func (p Program) GateNames() []string { return slices.Sorted(maps.Keys(byName(p.Gates))) }

// ParseGates reads "OneGate=true,OtherGate=false". Errors are those of Releases.ParseGates.
func (p Program) ParseGates(s string) (map[string]bool, error) {
	return parseGates(s, "one of "+p.Product, p.GateNames())
}

// Check refuses a version that does not parse and a gate that it does not have.
func (p Program) Check(o ProgramOptions) error {
	v := V1(p.Newest(), -1)
	if o.Version != "" {
		given, err := ParseVersion(o.Version)
		if err != nil {
			return fmt.Errorf("%q is no %s version: want major.minor or major.minor.patch, such as %s", o.Version, p.Product, v)
		}
		v = given
	}
	gates := byName(p.Gates)
	for _, name := range slices.Sorted(maps.Keys(o.Gates)) {
		if g := gates[name]; p.code(v).Minor < g.Since {
			return g.missing(p.Product, v)
		}
	}
	return nil
}

// Installed is the program to model: what the user says, else what its container says, else
// the newest release with its defaults.
func (p Program) Installed(o ProgramOptions, m Manager) Installed {
	i := Installed{GatesBasis: "defaults of this version"}
	i.Version, i.Basis = p.release(o, m)
	i.Version, i.Caveat = i.Version.within(p.Product, V1(p.Oldest(), -1), V1(p.Newest(), -1))
	if code := p.code(i.Version); code != i.Version {
		i.Version, i.Basis = code, fmt.Sprintf("%s, which is the code of %s", i.Basis, code)
	}
	gates := byName(p.Gates)
	i.Gates = defaultGates(gates, i.Version)
	if m.known() {
		i.Flags, i.Unelected = m.set(p.Program), m.unelected(p.Program)
		readGates(i.Gates, gates, i.Version, m.featureGates(p.Program))
		i.GatesBasis = p.Name + " arguments, else " + i.GatesBasis
	}
	for name, on := range o.Gates {
		if _, exists := i.Gates[name]; exists {
			i.Gates[name] = on
		}
	}
	if len(o.Gates) > 0 {
		i.GatesBasis = "--" + p.GatesFlag() + ", else " + i.GatesBasis
	}
	p.Imply(i.Version.Minor, i.Gates)
	return i
}

// release is the one that runs, and how that is known.
func (p Program) release(o ProgramOptions, m Manager) (v Version, basis string) {
	if v, err := ParseVersion(o.Version); err == nil {
		return v, "--" + p.VersionFlag()
	}
	v, ran := m.version()
	switch newest := V1(p.Newest(), -1); {
	case ran:
		return v, p.Name + " image " + m.tag()
	case m.known():
		return newest, fmt.Sprintf("assumed, the image tag %q of %s names no version", m.tag(), p.Name)
	default:
		return newest, "assumed, its Deployment was not read"
	}
}

// code is the release whose code a release has.
func (p Program) code(v Version) Version {
	if of, retagged := p.Retagged[v]; retagged {
		return of
	}
	return v
}

// Changed lists the gates that are not as the version has them by default, as Name=true.
func (p Program) Changed(i Installed) []string {
	changed := []string{}
	for name, on := range defaultGates(byName(p.Gates), i.Version) {
		if i.Gates[name] != on {
			changed = append(changed, name+"="+strconv.FormatBool(i.Gates[name]))
		}
	}
	slices.Sort(changed)
	return changed
}
