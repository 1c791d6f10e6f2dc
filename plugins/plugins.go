// Package plugins answers: which controllers are modelled, and which of them
// decides a kind?
package plugins

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// Plugin is one modelled controller.
type Plugin struct {
	Name string
	// Kinds are the kinds it decides.
	Kinds []view.Kind
	// Install says what to do when the server has no API for the kinds; empty
	// for those that every server has.
	Install string
	// Rules is its catalogue.
	Rules decision.Catalogue
	// Decide tells what one sync of the target does. It is pure: it reads the
	// View through r and nothing else.
	Decide Decide
	// Subject tells what can be told of a target to who asks what the real
	// controller waits for; nil for controllers that keep no expectations.
	Subject func(r *view.Reader, p profile.Profile, t Target) (*inference.Subject, error)
	// Step decides as Decide does, and says what becomes of it, for simulations;
	// nil for controllers that are not simulated.
	Step func(r *view.Reader, p profile.Profile, t Target) (*simulate.Sync, error)
	// Answer makes the first line from a Decision.
	Answer func(*decision.Decision) string
	// Scale is an object of its kinds with another number of replicas.
	Scale func(obj metav1.Object, replicas int32) (metav1.Object, decision.Change, error)
	// Change is an object of its kinds with other fields, of those that Fields
	// lists by name.
	Change func(metav1.Object, whatif.Fields) (metav1.Object, []decision.Change, error)
	Fields []string
	// Keep names the annotations and variables whose values Decide reads.
	Keep redact.Keep
	// Default completes a changed object as the webhooks of its controller do,
	// old is nil for a new one. Refuse is the answer to an object that they would
	// not let be stored, nil for others. Both are nil for kinds without webhooks.
	Default func(obj, old metav1.Object)
	Refuse  func(r *view.Reader, p profile.Profile, obj, old metav1.Object) (*decision.Decision, error)
}

// Target names the object to decide on.
type Target = view.Target

// All lists the modelled controllers.
func All() []Plugin {
	return []Plugin{{
		Name:  "replicaset",
		Kinds: replicaset.Kinds,
		Keep:  replicaset.Keep,
		Rules: replicaset.Rules,
		Decide: func(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
			return replicaset.Decide(r, p, t, replicaset.Given{})
		},
		Subject: replicaset.Subject,
		Step:    replicaset.Step,
		Answer:  replicaset.Answer,
		Scale:   replicaset.Scale,
		Change:  onlyScaled(replicaset.Scale),
		Fields:  []string{whatif.Replicas},
	}, {
		Name:  "deployment",
		Kinds: deployment.Kinds,
		Keep:  deployment.Keep,
		Rules: deployment.Rules,
		Decide: func(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
			return deployment.Decide(r, p, t, deployment.Given{Follow: followSet})
		},
		Answer: deployment.Answer,
		Scale:  deployment.Scale,
		Change: deployment.Change,
		Fields: deployment.Fields,
	}, {
		Name:    "cloneset",
		Kinds:   cloneset.Kinds,
		Keep:    cloneset.Keep,
		Install: "OpenKruise is not installed there: install it (https://openkruise.io), or check --context",
		Rules:   cloneset.Rules,
		Decide: func(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
			return cloneset.Decide(r, p, t, cloneset.Given{})
		},
		Subject: cloneset.Subject,
		Step:    cloneset.Step,
		Answer:  cloneset.Answer,
		Scale:   cloneset.Scale,
		Change:  cloneset.Change,
		Fields:  cloneset.Fields,
		Default: cloneset.Default,
		Refuse:  cloneset.Refuse,
	}}
}

// ForKind finds the plugin that decides the kind which arg names as kubectl
// users type it.
func ForKind(arg string) (Plugin, view.Kind, bool) {
	for _, p := range All() {
		for _, k := range p.Kinds {
			if k.Named(arg) {
				return p, k, true
			}
		}
	}
	return Plugin{}, view.Kind{}, false
}

// Rules is the catalogue of all plugins. Those of claiming are shared, and
// listed once.
func Rules() decision.Catalogue {
	var all decision.Catalogue
	for _, p := range All() {
		for _, r := range p.Rules {
			if _, listed := all.Find(r.ID); !listed {
				all = append(all, r)
			}
		}
	}
	return all
}

// Run decides and phrases: changes are those that a what-if laid over the View.
// A panic is the target's error.
func (p Plugin) Run(r *view.Reader, prof profile.Profile, t Target, changes []decision.Change) (d *decision.Decision, err error) {
	defer Caught(t, &err)
	d, err = p.Decide(r, prof, t)
	if err != nil {
		return nil, err
	}
	return d, p.finish(d, r, prof, t, changes)
}

// finish completes a decision with what it is about, and phrases it.
func (p Plugin) finish(d *decision.Decision, r *view.Reader, prof profile.Profile, t Target, changes []decision.Change) error {
	if err := unread(r, t); err != nil {
		return err
	}
	d.WhatIf = changes
	whatIfCaveats(d, r, t.Kind)
	p.Rules.Phrase(d)
	d.Answer = p.Answer(d)
	NoteGaps(d, r)
	if prof.Partial {
		d.AddUnread("VersionNotKnown", prof.Caveat)
	}
	return nil
}
