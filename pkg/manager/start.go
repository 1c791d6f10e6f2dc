package manager

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Standing is a controller as a manager runs it.
type Standing struct {
	Controller
	// Enabled reports whether the manager starts it. A controller may still end its
	// start, as one that signs certificates does without a key.
	Enabled bool
	// IfServed: it is enabled if the server serves its kind, which is not visible.
	IfServed bool
	// Why says by what it is enabled or not, Source how that is known.
	Why    string
	Source Source
	// Needs are its feature gates as they are set, NeedsOne those of which it needs one.
	Needs, NeedsOne []SetGate
	// Count is how many workers it has; its Flag is empty where no flag sets it.
	Count Value
}

// Standings are the controllers in a minor, as they run with these arguments and with the
// gates of emulated, the same minor or an older one.
func (p Program) Standings(minor, emulated int, a Arguments) []Standing {
	all := p.In(minor)
	set, older := p.gatesOf(minor, a), p.gatesOf(emulated, a)
	out := make([]Standing, len(all))
	for i, c := range all {
		s := Standing{Controller: c, Count: count(c.Workers, a), Needs: as(c.Gates, set, older), NeedsOne: as(c.AnyGate, set, older)}
		s.Enabled, s.Why, s.Source = true, "on by default", Default
		if a.Unread != "" {
			s.Source = NotVisible
		}
		if p.Flags.Controllers != "" {
			s.enable(canonical(all, p.Setting(a, p.Flags.Controllers)))
		}
		s.need()
		s.ask(minor, a)
		s.find(a)
		out[i] = s
	}
	return out
}

// count is how many workers a controller has.
func count(w Workers, a Arguments) Value {
	switch {
	case w.Flag != "":
		return a.Of(w.Flag, strconv.Itoa(w.Default))
	case w.Default != 0:
		return Value{Value: strconv.Itoa(w.Default), Source: Fixed}
	}
	return Value{}
}

// selection is the value of --controllers with the names that controllers have today.
type selection struct {
	names  []string
	source Source
}

// canonical replaces aliases (k8s.io/controller-manager/options/generic.go ApplyTo, v0.37.1).
func canonical(all []Controller, v Value) selection {
	names := strings.Split(v.Value, ",")
	for i, name := range names {
		bare := strings.TrimPrefix(name, "-")
		for _, c := range all {
			if slices.Contains(c.Aliases, bare) {
				names[i] = strings.TrimSuffix(name, bare) + c.Name
			}
		}
	}
	return selection{names, v.Source}
}

// enable applies --controllers: the first item that names the controller decides, then
// "*" (k8s.io/controller-manager/app/helper.go IsControllerEnabled, v0.37.1).
func (s *Standing) enable(listed selection) {
	s.Enabled, s.Source = false, listed.source
	for _, item := range listed.names {
		switch item {
		case s.Name:
			s.Enabled, s.Why = true, "named by --controllers"
			return
		case "-" + s.Name:
			s.Why = "switched off by --controllers"
			return
		}
	}
	switch {
	case !slices.Contains(listed.names, "*"):
		s.Why = "--controllers does not name it"
	case s.DisabledByDefault:
		s.Why = fmt.Sprintf("off by default; --controllers=*,%s enables it", s.Name)
	default:
		s.Enabled, s.Why = true, "on by default"
	}
}

// need applies the feature gates (app/controller_descriptor.go BuildController, and the
// Add functions of other managers).
func (s *Standing) need() {
	if !s.Enabled {
		return
	}
	for _, g := range s.Needs {
		if !g.On {
			s.Enabled, s.Why, s.Source = false, fmt.Sprintf("feature gate %s is off", g.Name), g.Source
			if g.By != "" {
				s.Why += ", as " + g.By
			}
			return
		}
	}
	if len(s.NeedsOne) > 0 && !slices.ContainsFunc(s.NeedsOne, func(g SetGate) bool { return g.On }) {
		var names []string
		for _, g := range s.NeedsOne {
			names = append(names, g.Name)
		}
		s.Enabled, s.Why, s.Source = false, "none of the feature gates "+strings.Join(names, " and ")+" is on", s.NeedsOne[0].Source
	}
}

// find applies which kinds the server serves.
func (s *Standing) find(a Arguments) {
	if !s.Enabled || s.Served == "" {
		return
	}
	served, known := false, false
	if a.Serves != nil {
		served, known = a.Serves(s.Served)
	}
	switch {
	case !known:
		s.IfServed, s.Why, s.Source = true, "needs that the server serves "+s.Served+", which is not visible", NotVisible
	case !served:
		s.Enabled, s.Why, s.Source = false, "the server does not serve "+s.Served, Server
	}
}

// lastInTree is the last minor that has cloud providers of its own
// (app/controllermanager.go StartController, IncludeCloudLoops).
const lastInTree = 31

// ask applies the kind of cloud provider.
func (s *Standing) ask(minor int, a Arguments) {
	if !s.Enabled || !s.CloudProvider {
		return
	}
	provider := a.Of(cloudProvider, "")
	if in := provider.Value; minor <= lastInTree && in != "" && in != "external" {
		s.Why, s.Source = fmt.Sprintf("--cloud-provider=%s is in-tree", in), provider.Source
		return
	}
	s.Enabled, s.Why = false, "a cloud provider's: the cloud-controller-manager runs it"
	if minor <= lastInTree {
		s.Why, s.Source = "needs an in-tree cloud provider", provider.Source
	}
}
