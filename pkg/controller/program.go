package controller

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Program is a controller manager that is installed beside Kubernetes' own.
type Program struct {
	profile.Program
	// Pods are those that it runs in.
	Pods view.Need
	// Read is what the cluster says of it.
	Read func(r *view.Reader, p profile.Profile) Installed
}

// Installed is a controller manager as it is seen.
type Installed struct {
	profile.Installed
	// Seen: the object that runs it was read.
	Seen bool
	// From is the object that runs it.
	From string
	// Arguments are those of its command line.
	Arguments manager.Arguments
}

// Programs are the managers of the modelled controllers besides Kubernetes' own.
//
//go:noinline // it is called at many places
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

// Managers are the programs of all modelled controllers, Kubernetes' own first.
func (all Registry) Managers() []manager.Program {
	managers := []manager.Program{manager.Kubernetes}
	for _, p := range all.Programs() {
		managers = append(managers, p.Program.Program)
	}
	return managers
}

// Of reports whether a controller is run by a manager; nil for Kubernetes' own.
func (c Controller) Of(p *Program) bool { return c.Agent != nil && c.Agent.Program == p }
