package controller

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// Controller is one modelled controller. ID, Kinds, Rules, Decide and Answer are
// required; what else is nil is not offered for its kinds, and the verbs that
// need it say so.
type Controller struct {
	ID string
	// Kinds are the kinds it decides.
	Kinds []view.Kind
	// Install says what to do when the server has no API for the kinds; empty
	// for those that every server has.
	Install string
	// Rules is its catalogue.
	Rules decision.Catalogue
	// Decide predicts one sync of the target. It is pure: it reads the View
	// through r and nothing else.
	Decide Decide
	// Answer makes the first line from a Decision.
	Answer func(*decision.Decision) string
	// Refusal says that what a Decision creates is refused or may be, and by what, as the
	// first line does; nil for a controller of none that others scale.
	Refusal func(*decision.Decision) string
	// Releases are what differs between the releases of Kubernetes that are modelled; left
	// empty by the controllers of other products.
	Releases profile.Releases
	// Keep names the annotations and variables whose values Decide reads.
	Keep redact.Keep

	// Subject returns what is known of a target to those who ask what the real
	// controller waits for; nil for controllers that keep no expectations.
	Subject func(r *view.Reader, p profile.Profile, t Target) (*inference.Subject, error)
	// Step decides as Decide does, and returns what becomes of it, for
	// simulations.
	Step func(r *view.Reader, p profile.Profile, t Target) (*simulate.Sync, error)
	// WhatIf changes objects of its kinds; nil where a what-if can change no field.
	WhatIf *WhatIf
	// Admit is what becomes of its objects before they are stored; nothing is completed
	// or refused where it is left out.
	Admit Admission
	// Assess finds out why a target is not as desired, from what Decide read and a
	// little more; nil leaves every state Unknown in which nothing is to be done.
	Assess func(r *view.Reader, p profile.Profile, t Target, d *decision.Decision) health.Assessment
	// Agent is the controller as it runs; nil where it is not traced.
	Agent *Agent
	// Adopters are the first of those that adopt an object of its kinds which has no
	// controller, and how many there are; nil where none is looked for.
	Adopters func(r *view.Reader, orphan metav1.Object) (first []decision.Ref, n int)
	// Claims are how objects of its kinds claim others, where package ownership does not know.
	Claims []ownership.Claims
	// Scales are the kinds whose spec.replicas it sets.
	Scales []view.Kind
	// Due are the objects that it scales whose own controllers may have something to do,
	// whatever it does itself; nil where only those are looked at that it changes.
	Due func(r *view.Reader, p profile.Profile, t Target) []Target
	// Unsaved is an object without which nothing true can be said of a target, and that files
	// lack though they show that it is there; nil where none is looked for.
	Unsaved func(r *view.Reader, t Target) *ownership.Unsaved
	// Reviews reports whether Decide asks package admission what becomes of creations. Those of
	// a controller that does not are possible where something may refuse them.
	Reviews bool
	// Creates is the kind of the objects that status.replicas counts, Pods where it is
	// left out.
	Creates view.Kind

	// waits is set for a command that waits.
	waits *health.Patience
	// quiet leaves out what others make of a what-if, for a question that asks many.
	quiet bool
	// others are all that are modelled, with this one.
	others Registry
}

// Target names the object to decide on.
type Target = view.Target

// Decide predicts what one sync does. Errors: *view.NotFound, and whatever kept
// the target itself from being read.
type Decide = func(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error)

// WhatIf changes objects.
type WhatIf struct {
	// Fields are those that Change knows, by name.
	Fields []string
	// Change is an object with other fields, and what is changed. Fields that
	// it does not know are left.
	Change func(metav1.Object, whatif.Fields) (metav1.Object, []decision.Change, error)
}

// Admission is what the API server, with webhooks, makes of an object that is written. What
// is nil is not done.
type Admission struct {
	// Default completes a new or changed object; old is nil for a new one.
	Default func(obj, old metav1.Object)
	// Validated is what the API server validates of an object, nil for one of another kind.
	Validated func(metav1.Object) *whatif.Workload
	// Refuse is a webhook's answer to an object that would not be stored, nil for others.
	Refuse func(r *view.Reader, p profile.Profile, obj, old metav1.Object) (*decision.Decision, error)
}

// OnlyReplicas changes objects of which nothing but spec.replicas can be changed.
func OnlyReplicas(scale func(metav1.Object, int32) (metav1.Object, decision.Change, error)) *WhatIf {
	return &WhatIf{
		Fields: []string{whatif.Replicas},
		Change: func(obj metav1.Object, f whatif.Fields) (metav1.Object, []decision.Change, error) {
			if f.Replicas == nil {
				return obj, nil, nil
			}
			scaled, c, err := scale(obj, *f.Replicas)
			return scaled, []decision.Change{c}, err
		},
	}
}

// Run decides and phrases: changes are those that a what-if laid over the View.
// A panic is the target's error.
func (c Controller) Run(r *view.Reader, prof profile.Profile, t Target, changes []decision.Change) (d *decision.Decision, err error) {
	defer Caught(t, &err)
	if err = c.unsaved(r, t); err != nil {
		return nil, err
	}
	d, err = c.predict(r, prof, t)
	if err != nil {
		return nil, err
	}
	return d, c.finish(d, r, prof, t, changes)
}

// Next decides and phrases as Run does, and leaves out how the target stands, with what
// is read for that alone.
func (c Controller) Next(r *view.Reader, prof profile.Profile, t Target) (d *decision.Decision, err error) {
	defer Caught(t, &err)
	d, err = c.predict(r, prof, t)
	if err == nil {
		err = unread(r, t)
	}
	if err != nil {
		return nil, err
	}
	c.Surround(d, r, prof, t)
	c.Phrase(d)
	return d, nil
}

// Phrase puts a decision into words, and sums it up.
func (c Controller) Phrase(d *decision.Decision) {
	d.Sum()
	d.Phrase(c.Rules, c.answer)
}

// finish completes a decision with what it is about, and phrases it.
func (c Controller) finish(d *decision.Decision, r *view.Reader, prof profile.Profile, t Target, changes []decision.Change) error {
	if err := unread(r, t); err != nil {
		return err
	}
	d.Assume(changes)
	c.Surround(d, r, prof, t)
	c.doubtRelease(d, r, prof, t)
	if !c.quiet {
		c.others.whatIfCaveats(d, r, t.Kind)
	}
	c.Phrase(d)
	c.assess(d, r, prof, t)
	d.Sum() // a rollout that is blocked does not go on
	if why := refusedToday(d); why != "" {
		d.Doubt(decision.Caveat{Code: "LastAttemptRefused", Message: "the last attempt was refused (" + why + "), and this one may be"})
		c.Phrase(d)
	}
	if !c.quiet {
		stay(d, r)
	}
	if !scaled(d) && !c.quiet && !r.Provisional() {
		if d.WarnFirst(rescaled(c.others, r, t.Kind, d)...); d.Rescaled != "" {
			c.Phrase(d)
		}
	}
	lease.Await(d)
	NoteGaps(d, r)
	if prof.Partial {
		d.AddUnread(decision.VersionNotKnown, prof.Caveat)
	}
	return nil
}

// assess gives the decision its state. While something is missing, that is decided
// again anyway.
func (c Controller) assess(d *decision.Decision, r *view.Reader, prof profile.Profile, t Target) {
	if r.Provisional() {
		return
	}
	a := health.Unassessed()
	if c.Assess != nil {
		a = c.Assess(r, prof, t, d)
	}
	if a.Unread {
		a.Forbidden = forbidden(r)
	}
	if a.Waits() && c.findLeader(d, r, prof, t) { // whatever it waits for, no sync comes
		c.Phrase(d)
	}
	a.Causes = append(health.Leader(r, d.Evidence, health.Options{Now: r.Now()}), a.Causes...)
	c.await(&a, r, t, d.Target)
	if a.Deleting {
		noteBlocking(&a, d, r)
	} else {
		a.Collected = collected(r, t, d)
		noteStale(&a, d, r)
		c.noteOrphaned(&a, d, r, t)
		c.noteAdopted(&a, d, r, prof, t)
		if a.Collected == nil {
			a.Collected = emptied(r, t, a.Causes)
		}
		noteUndone(&a, d)
	}
	a.Settle(d)
}

// noteUndone says of what the next sync does that others undo it, who delete the target or
// adopt it: a plan shows no causes.
func noteUndone(a *health.Assessment, d *decision.Decision) {
	switch acts := len(d.Actions) > 0; {
	case acts && a.Collected != nil:
		d.AddCaveat(decision.Undone, "what it does next does not last: "+a.Collected.Message)
	case acts && len(a.Adopted) > 0:
		d.AddCaveat("Adopted", "what it does next may not last: "+a.Adopted[0])
	}
}
