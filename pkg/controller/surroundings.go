package controller

import (
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Surround adds to d what the controller's own decision leaves out: whether a leader is
// active to do what is due, and what may refuse its creations.
func (c *Controller) Surround(d *decision.Decision, r *view.Reader, p profile.Profile, t Target) {
	if c.due(d, r, t) {
		c.findLeader(d, r, p, t)
	}
	c.review(d, r, t.Namespace)
}

// due reports whether something is left to do now, about the target or about what it scales.
func (c *Controller) due(d *decision.Decision, r *view.Reader, t Target) bool {
	obj, held := r.Held(t.Kind, t.Namespace, t.Name)
	follows := slices.ContainsFunc(d.Follows, func(e decision.Effect) bool { return e.Due })
	if !held || follows || len(d.Actions) > 0 || d.Timeline != nil && d.Timeline.Totals.Rounds > 0 {
		return held
	}
	return !r.Hypothetical() && (observed(obj) < obj.GetGeneration() || d.Status.Writes && !d.Status.Dropped)
}

// findLeader adds that no leader is active, or that the manager acts without, and reports
// whether it did. One that acts for a set of the target acts for the target as well.
func (c *Controller) findLeader(d *decision.Decision, r *view.Reader, p profile.Profile, t Target) bool {
	if lease.Told(d.Evidence) >= 0 {
		return false
	}
	found, ok := c.overdue(r, p, t)
	for i := 0; i < len(d.Sets) && ok && found.Rule == lease.Expired; i++ {
		s := &d.Sets[i]
		of, k, modelled := c.others.ForRef(s.Object)
		if !modelled || s.Actual == 0 && s.Next == 0 {
			continue
		}
		if also, ok := of.overdue(r, p, Target{Kind: k, Namespace: s.Object.Namespace, Name: s.Object.Name}); ok {
			found = also
		}
	}
	if ok {
		d.FindFirst(found)
	}
	return ok
}

// overdue is what the Lease of its manager says about a target for which something is due;
// false where the manager has a leader, and where that is not known.
func (c *Controller) overdue(r *view.Reader, p profile.Profile, t Target) (decision.Evidence, bool) {
	obj, held := r.Held(t.Kind, t.Namespace, t.Name)
	if !held {
		return decision.Evidence{}, false
	}
	of, unelected := lease.ControllerManager, p.Unelected
	switch a := c.Agent; {
	case a == nil && c.Install != "":
		return decision.Evidence{}, false // run by a program that is not known
	case a != nil && a.Manager != of.Manager:
		of = lease.Program{Process: a.Manager, Lease: a.Lease, Manager: a.Manager}
		unelected = a.Program != nil && a.Program.Read(r, p).Unelected
	}
	of.Components = append(slices.Clip(of.Components), c.ID+"-controller")
	makes := append(slices.Clip(c.Scales), c.Makes())[0] // by its own syncs
	return lease.Overdue(r, &of, unelected, &lease.Subject{Kind: t.Kind, Object: obj, Makes: makes})
}

// review doubts creations where something may refuse them that the controller does not ask.
func (c *Controller) review(d *decision.Decision, r *view.Reader, namespace string) {
	if c.Reviews || !creates(d, decision.Certain) {
		return
	}
	ns, deleted := admission.Read(r, namespace), admission.Terminating(r, namespace) != nil
	if deleted || len(ns.Quotas)+len(ns.LimitRanges) > 0 {
		d.Warn(decision.Caveat{Code: admission.InDoubt, Message: "what the namespace's quotas, LimitRanges or deletion make of what it creates is not modelled: that may be refused"})
	} else if len(admission.Unread(r, admission.Quotas(namespace), admission.LimitRanges(namespace))) == 0 {
		return
	}
	for i := range d.Actions {
		if a := &d.Actions[i]; a.Verb == decision.Create {
			a.Doubt()
		}
	}
}

// answer is the first line, with what may keep it from coming true.
func (c *Controller) answer(d *decision.Decision) string {
	text := c.Answer(d)
	target := d.Target.String()
	if rest, will := strings.CutPrefix(text, target+" will "); will && !c.Reviews && creates(d, decision.Possible) {
		text = target + " may " + rest
	}
	text += lease.WithoutLeader(d)
	if d.Rescaled != "" && d.Timeline == nil {
		text += " " + d.Rescaled + "."
	}
	return text
}

// creates reports whether something is created with this certainty.
func creates(d *decision.Decision, as decision.Certainty) bool {
	for i := range d.Actions {
		if a := &d.Actions[i]; a.Verb == decision.Create && a.Certainty == as {
			return true
		}
	}
	return false
}
