package profile

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// Profile is the modelled controller manager.
type Profile struct {
	Kubernetes Version `json:"kubernetes"`
	// Release is the one that runs, which Kubernetes is if it is modelled.
	Release Version `json:"-"`
	// Emulates is the release whose defaults the feature gates have.
	Emulates Version `json:"-"`
	// Basis says how Kubernetes was learned: "server v1.36.3", "--emulate-version 1.31".
	Basis      string          `json:"basis"`
	Gates      map[string]bool `json:"gates"`
	GatesBasis string          `json:"gatesBasis"`
	// Caveat is set when the cluster's own version can't be modelled exactly.
	Caveat string `json:"caveat,omitempty"`
	// Partial: Caveat tells of what was not read, and may be another version.
	Partial bool `json:"partial,omitempty"`
	// Older is that of the oldest release that may run in its place, where the Nodes' kubelets
	// tell no more than a range; nil elsewhere.
	Older *Profile `json:"-"`
	// Unelected: the manager runs with --leader-elect=false, and holds no Lease.
	Unelected bool `json:"unelected,omitempty"`
	// Programs are what the user says about other programs, by their names; the rest is
	// read with the objects: see Program.Installed.
	Programs map[string]ProgramOptions `json:"programs,omitempty"`

	// declared are the gates that New was told of; nil for a Profile that it did not make.
	declared map[string]Gate
}

// Options are what a user or a source says about the controller manager.
type Options struct {
	// Emulate is the --emulate-version flag, empty when not given.
	Emulate string
	// Gates are the --feature-gates flag, read by ParseGates.
	Gates map[string]bool
	// Server is the version that the cluster or the bundle reports, empty
	// when neither does; ServerBasis says which of them.
	Server      string
	ServerBasis string
	// ServerEmulates is the version that the server behaves as, if another one
	// (--emulated-version).
	ServerEmulates string
	// Manager is the kube-controller-manager of the cluster or bundle. It counts
	// for more than the server, whose version may be another one.
	Manager Manager
	// Kubelets are the versions of the kubelets, which tell the server's where nothing
	// reports it.
	Kubelets []string
	// Programs are what the user says about other programs, by their names.
	Programs map[string]ProgramOptions
	// Releases are what the modelled controllers declare.
	Releases Releases
}

// New builds the Profile. Errors: a version that cannot be read, a gate that
// the version does not have or has locked, a gate that is declared with two lives.
func New(o Options) (Profile, error) {
	version, older, basis, err := pick(o)
	if err != nil {
		return Profile{}, err
	}
	if err := o.Releases.check(); err != nil {
		return Profile{}, err
	}
	known, caveat := version.within("Kubernetes", Oldest, Newest)
	p := Profile{Kubernetes: known, Release: version, Basis: basis, Caveat: caveat, Programs: o.Programs, Unelected: o.Manager.unelected(manager.Kubernetes)}
	p.Emulates, p.declared = known, o.Releases.gates()
	if o.Emulate == "" {
		p.Emulates = p.read(o)
	} else {
		p.defaults(known)
	}
	if len(o.Gates) > 0 {
		p.GatesBasis = "--feature-gates, else " + p.GatesBasis
	}
	if err := p.set(p.Emulates, o.Gates); err != nil || older == version {
		return p, err
	}
	o.Emulate, o.Kubelets = older.String(), nil
	if other, err := New(o); err == nil && other.Kubernetes != known {
		p.Older = &other
	}
	return p, nil
}

// defaults are the gates of a version that nobody set.
func (p *Profile) defaults(v Version) {
	p.Gates, p.GatesBasis = defaultGates(p.declared, v), "defaults of this version"
}

// emulates makes the defaults those of an older version, which by emulates.
func (p *Profile) emulates(by string, v Version) {
	p.Gates, p.GatesBasis = defaultGates(p.declared, v), fmt.Sprintf("defaults of Kubernetes %s, which %s emulates", v, by)
}

// read applies what the manager's command line says, and what is not sure of
// it. It returns the version whose gates apply: emulation changes no code.
func (p *Profile) read(o Options) Version {
	m := o.Manager
	if p.Caveat == "" {
		p.Caveat, p.Partial = m.Caveat, m.Unread
	}
	v := p.Kubernetes
	p.defaults(v)
	if emulated, named := m.emulated(); named && emulated.Minor < v.Minor {
		v = emulated
		p.emulates("the controller manager", v)
	} else if emulated, err := ParseVersion(o.ServerEmulates); err == nil && !m.known() && emulated.Minor < v.Minor {
		v = emulated
		p.emulates("the server", v)
		p.supposes(o.ServerEmulates)
	}
	if readGates(p.Gates, p.declared, v, m.featureGates(manager.Kubernetes)) {
		p.GatesBasis = "kube-controller-manager arguments, else " + p.GatesBasis
	}
	return v
}

// supposes adds that only the server is known to emulate.
func (p *Profile) supposes(version string) {
	text := fmt.Sprintf("the server emulates Kubernetes %s; the controller manager is assumed to run the server's code with that version's default gates", version)
	if p.Caveat != "" {
		text = p.Caveat + "; " + text
	}
	p.Caveat = text
}

// pick returns the release to model, the oldest that may run instead, and how that was
// learned.
func pick(o Options) (v, older Version, basis string, err error) {
	running, ran := o.Manager.version()
	switch {
	case o.Emulate != "":
		v, err = ParseVersion(o.Emulate)
		return v, v, "--emulate-version", err
	case ran:
		return running, running, "kube-controller-manager image " + o.Manager.tag(), nil
	case o.Server != "":
		v, err = ParseVersion(o.Server)
		return v, v, o.ServerBasis + " " + o.Server, err
	}
	if older, v, basis, told := skewed(o.Kubelets); told {
		return v, older, basis, nil
	}
	return Newest, Newest, "assumed, the input names no version", nil
}

// On reports whether a gate exists and is on. A gate that no controller declares is a
// programming error: it would be off in every release.
func (p Profile) On(gate string) bool {
	if _, known := p.declared[gate]; !known && p.declared != nil {
		panic("feature gate " + gate + " is not declared")
	}
	return p.Gates[gate]
}

// Of returns which of some gates that exist in this version are on.
func (p Profile) Of(gates []Gate) map[string]bool {
	of := map[string]bool{}
	for _, g := range gates {
		if on, exists := p.Gates[g.Name]; exists {
			of[g.Name] = on
		}
	}
	return of
}
