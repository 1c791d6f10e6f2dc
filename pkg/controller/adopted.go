package controller

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// noteAdopted notes what adopts a target that has no controller, and to how many replicas
// that scales it.
func (c Controller) noteAdopted(a *health.Assessment, d *decision.Decision, r *view.Reader, prof profile.Profile, t Target) {
	if len(d.WhatIf) > 0 {
		return
	}
	by, n, scaled := c.adopted(r, prof, t)
	if n == 0 {
		return
	}
	if n == 1 {
		a.BesidesNext = fmt.Sprintf("kubectl ctrl explain %s -n %s", by[0], t.Namespace)
	}
	a.Adopted = []string{format.OneOf(names(by), n) + " adopts it" + scaled, "to be adopted" + scaled}
}

// adopted are the first of n objects of which one adopts a target that has no controller, and,
// where it is one, to how many replicas that scales it.
func (c Controller) adopted(r *view.Reader, prof profile.Profile, t Target) (by []decision.Ref, n int, scaled string) {
	obj, there := r.Held(t.Kind, t.Namespace, t.Name)
	if c.Adopters == nil || !there || obj.GetDeletionTimestamp() != nil || metav1.GetControllerOfNoCopy(obj) != nil {
		return nil, 0, ""
	}
	if by, n = c.Adopters(r, obj); n == 1 {
		scaled = c.others.scaledBy(r, prof, by[0], ownership.RefTo(t.Kind, obj))
	}
	return by, n, scaled
}

// roundsAhead is how many rounds are looked at of an object that adopts a target.
const roundsAhead = 10

// scaledBy says to how many replicas one object scales another in its next rounds, empty
// where that is not known, or nothing is scaled.
func (all Registry) scaledBy(r *view.Reader, prof profile.Profile, by, target decision.Ref) string {
	c, k, modelled := all.ForRef(by)
	if !modelled {
		return ""
	}
	t := Target{Kind: k, Namespace: by.Namespace, Name: by.Name}
	if _, err := c.settled(r, prof, t); err != nil || r.Provisional() { // which reads what the rounds need
		return ""
	}
	c.quiet = true
	d, used, err := c.Simulate(r.View, prof, t, nil, simulate.Options{Rounds: roundsAhead})
	for _, ahead := range used {
		for _, read := range ahead.Asked() {
			read.IfMissing, read.Explains = "to how many replicas "+by.String()+" scales "+target.String()+" is not known", true
			_ = r.Err(read.Need)
		}
	}
	if err != nil || d.Timeline == nil {
		return ""
	}
	text := ""
	for _, round := range d.Timeline.Rounds {
		for _, act := range round.Actions {
			if act.Verb == decision.Scale && act.Object.UID == target.UID && act.To != nil {
				text = fmt.Sprintf(", scaled to %d", *act.To)
			}
		}
	}
	return text
}
