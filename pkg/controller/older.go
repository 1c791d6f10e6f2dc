package controller

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// doubtRelease makes possible what the target's next sync does only in the release that is
// assumed, where an older one may run in its place.
func (c Controller) doubtRelease(d *decision.Decision, r *view.Reader, p profile.Profile, t Target) {
	if p.Older == nil || r.Provisional() {
		return
	}
	other, err := c.predict(r, *p.Older, t)
	if err != nil || r.Provisional() {
		return
	}
	differs := len(d.Actions) != len(other.Actions)
	for i := range d.Actions {
		same := func(a decision.Action) bool { return alike(a, d.Actions[i]) }
		if !slices.ContainsFunc(other.Actions, same) {
			d.Actions[i].Doubt()
			differs = true
		}
	}
	if !differs {
		return
	}
	c.Phrase(other)
	d.AddCaveat(decision.VersionNotKnown, fmt.Sprintf("the version is %s: with Kubernetes %s, %s; --emulate-version says which one runs",
		p.Basis, p.Older.Kubernetes, strings.TrimSuffix(other.Answer, ".")))
	d.Summarize()
}

// alike reports whether two actions come to the same.
func alike(a, b decision.Action) bool {
	return a.Verb == b.Verb && a.Object == b.Object && a.Count == b.Count && a.Certainty == b.Certainty && a.Into == b.Into
}
