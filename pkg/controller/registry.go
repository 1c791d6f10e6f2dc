package controller

import (
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Registry are the modelled controllers.
type Registry []Controller

// NewRegistry makes the controllers known to each other, and gives them the rules that all have.
func NewRegistry(all ...Controller) Registry {
	for i := range all {
		all[i].Rules = append(slices.Clip(all[i].Rules), lease.Rules...)
		all[i].others = all
		all[i].declare()
	}
	return all
}

// Declare tells those who read the View what the controllers claim.
func (all Registry) Declare(v *view.View) {
	if claims := all.claims(); len(claims) > 0 {
		ownership.Declare(v, claims)
	}
}

func (all Registry) claims() (claims []ownership.Claims) {
	for _, c := range all {
		claims = append(claims, c.Claims...)
	}
	return claims
}

// declare has c decide on Views that know what all controllers claim.
func (c *Controller) declare() {
	if len(c.others.claims()) == 0 {
		return
	}
	decide, step := c.Decide, c.Step
	c.Decide = func(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
		c.others.Declare(r.View)
		return decide(r, p, t)
	}
	if step != nil {
		c.Step = func(r *view.Reader, p profile.Profile, t Target) (*simulate.Sync, error) {
			c.others.Declare(r.View)
			return step(r, p, t)
		}
	}
}

// ForKind finds the controller that decides the kind which arg names as kubectl
// users type it.
func (all Registry) ForKind(arg string) (Controller, view.Kind, bool) {
	return all.first(func(k view.Kind) bool { return k.Named(arg) })
}

// ForRef finds the controller that decides the kind of an object.
func (all Registry) ForRef(ref decision.Ref) (Controller, view.Kind, bool) {
	return all.first(func(k view.Kind) bool { return k.Kind == ref.Kind && k.GroupVersion().String() == ref.APIVersion })
}

func (all Registry) first(is func(view.Kind) bool) (Controller, view.Kind, bool) {
	for _, c := range all {
		if i := slices.IndexFunc(c.Kinds, is); i >= 0 {
			return c, c.Kinds[i], true
		}
	}
	return Controller{}, view.Kind{}, false
}

// Keep names the values that decisions read, and those that a Profile is read
// from: a snapshot has to give the same answers as its cluster.
func (all Registry) Keep() redact.Keep {
	keep := redact.Keep{Flag: profile.Reads(all.Managers()...)}
	for _, c := range all {
		keep.Annotations = append(keep.Annotations, c.Keep.Annotations...)
		keep.Env = append(keep.Env, c.Keep.Env...)
	}
	return keep
}

// Releases are what differs between releases of Kubernetes in all of them.
func (all Registry) Releases() (releases profile.Releases) {
	for _, c := range all {
		releases = releases.And(c.Releases)
	}
	return releases
}

// Kinds lists every kind that some controller decides.
func (all Registry) Kinds() []view.Kind {
	var kinds []view.Kind
	for _, c := range all {
		kinds = append(kinds, c.Kinds...)
	}
	return kinds
}

// KindNames lists them for messages: "replicasets (rs), replicationcontrollers (rc)".
func (all Registry) KindNames() string {
	var names []string
	for _, k := range all.Kinds() {
		name := k.Resource
		if len(k.Short) > 0 {
			name += " (" + strings.Join(k.Short, ", ") + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// KindsWith lists the resources of the kinds that have a field of this name.
func (all Registry) KindsWith(field string) []string {
	var names []string
	for _, c := range all {
		if c.Knows(field) {
			for _, k := range c.Kinds {
				names = append(names, k.Resource)
			}
		}
	}
	return names
}

// Knows reports whether a what-if can change the field of this name.
func (c Controller) Knows(field string) bool {
	return c.WhatIf != nil && slices.Contains(c.WhatIf.Fields, field)
}

// Makes is the kind of the objects that it creates and deletes, or that are created for
// it by the controller of what it scales.
func (c Controller) Makes() view.Kind {
	if c.Creates.Kind == "" {
		return view.Pods
	}
	return c.Creates
}

// Traced are those that run in a trace.
func (all Registry) Traced() Registry {
	return slices.DeleteFunc(slices.Clone(all), func(c Controller) bool { return c.Agent == nil })
}

// Remembering are those that keep expectations.
func (all Registry) Remembering() Registry {
	return slices.DeleteFunc(slices.Clone(all), func(c Controller) bool { return c.Subject == nil })
}

// Running lists the controllers as they run, one for each kind, those first that
// scale what others decide.
func (all Registry) Running() []Running {
	var running []Running
	for _, scales := range []bool{true, false} {
		for _, c := range all {
			if c.Agent == nil || len(c.Scales) > 0 != scales {
				continue
			}
			for _, k := range c.Kinds {
				running = append(running, runningOf(c, k))
			}
		}
	}
	return running
}
