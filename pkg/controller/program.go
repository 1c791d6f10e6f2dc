package controller

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Program is a controller manager that is installed beside Kubernetes' own.
type Program struct {
	manager.Program
	// Pods are those that it runs in.
	Pods view.Need
	// Read is what the cluster says of it.
	Read func(r *view.Reader, p profile.Profile) Installed
}

// Installed is a controller manager as it is seen.
type Installed struct {
	// Seen: the object that runs it was read.
	Seen bool
	// Minor is that of its release, Version all of it, and Basis how it was learned.
	Minor          int
	Version, Basis string
	// From is the object that runs it.
	From string
	// Arguments are those of its command line.
	Arguments manager.Arguments
	// Caveat is set when its version can't be modelled exactly.
	Caveat string
}

// Programs are the managers of the modelled controllers besides Kubernetes' own.
func (all Registry) Programs() (programs []*Program) {
	for _, c := range all {
		if c.Agent == nil || c.Agent.Program == nil {
			continue
		}
		if !slices.Contains(programs, c.Agent.Program) {
			programs = append(programs, c.Agent.Program)
		}
	}
	return programs
}

// Of reports whether a controller is run by a manager; nil for Kubernetes' own.
func (c Controller) Of(p *Program) bool { return c.Agent != nil && c.Agent.Program == p }
