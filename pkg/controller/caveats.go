package controller

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// unread is the error of a decision that was made without something that it
// needs: it would look whole. Plain files are not complete in the first place;
// there, what is missing is for whoever reads them to judge. What they hold too
// much of is not missing.
func unread(r *view.Reader, t Target) error {
	for _, read := range r.Asked() {
		if read.Err != nil && read.Required() && (r.Vouches(read.Kind) || errors.As(read.Err, new(*view.TooMany))) {
			return &decision.Unanswered{Err: fmt.Errorf("no answer about %s/%s/%s: %w", t.Kind.Resource, t.Namespace, t.Name, asking(read))}
		}
	}
	return nil
}

// asking is the error of a read, with the command that shows a permission that is missing.
func asking(read view.Read) error {
	if !apierrors.IsForbidden(read.Err) || read.Name != "" || read.Namespace == "" {
		return read.Err
	}
	return fmt.Errorf("%w: see %s", read.Err, health.CanList(read.Kind.GroupResource(), read.Namespace))
}

// NoteGaps adds what Readers could not read for a decision to its caveats.
func NoteGaps(d *decision.Decision, readers ...*view.Reader) {
	for _, r := range readers {
		for _, gap := range r.Gaps() {
			if gap.Partial {
				d.AddUnread(gap.Code, gap.Message)
			} else {
				d.Warn(decision.Caveat(gap))
			}
		}
	}
}

// whatIfCaveats says where a what-if ends: other controllers act on the same
// objects, and are not run with it.
func (all Registry) whatIfCaveats(d *decision.Decision, r *view.Reader, k view.Kind) {
	switch {
	case scaled(d) && len(d.Owners) > 0:
		owner := d.Owners[len(d.Owners)-1]
		d.AddCaveat("OwnerScales", all.takesBack(owner, d.Target))
	case scaled(d):
		d.WarnFirst(autoscaled(r, k, d)...)
	case len(d.Owners) > 0 && changed(d, d.Target):
		owner := d.Owners[len(d.Owners)-1]
		ask := ""
		if _, _, modelled := all.ForKind(strings.ToLower(owner.Kind)); modelled {
			ask = ": plan " + owner.String() + " with the same change tells"
		}
		d.AddCaveat("OwnerActs", fmt.Sprintf("%s may act on this change of %s as well%s", owner, d.Target, ask))
	}
	for _, o := range d.Owners {
		if changed(d, o) {
			d.Warn(all.ownerChanges(o, d.Target))
		}
	}
}

// ownerChanges says that the controller of a changed owner acts as well.
func (all Registry) ownerChanges(owner, target decision.Ref) decision.Caveat {
	if _, _, modelled := all.ForKind(strings.ToLower(owner.Kind)); modelled {
		return decision.Caveat{Code: "OwnerActs", Message: fmt.Sprintf(
			"the change of %s makes its controller act first: %s is taken as it is here; plan %[1]s tells what becomes of it", owner, target)}
	}
	return decision.Caveat{Code: "OwnerNotModelled", Message: fmt.Sprintf(
		"what the change of %s makes its controller do is not modelled: %s is taken as it is", owner, target)}
}

// scaled reports whether the what-if gives the target another number of replicas.
func scaled(d *decision.Decision) bool {
	return slices.ContainsFunc(d.WhatIf, func(c decision.Change) bool {
		return c.Path == "spec.replicas" && c.From != c.To && same(c.Object, d.Target)
	})
}

// scaledDown reports whether that is a smaller one.
func scaledDown(d *decision.Decision) bool {
	n, known := sizes(d)
	return scaled(d) && (!known || n.To < n.From)
}

// sizes are the numbers of replicas before and after the what-if; known is false where one
// is not set, or the target is not scaled.
func sizes(d *decision.Decision) (n decision.Sizes, known bool) {
	for i := range d.WhatIf {
		if c := &d.WhatIf[i]; c.Sizes != nil && same(c.Object, d.Target) {
			n, known = *c.Sizes, true
		}
	}
	return n, known
}

func changed(d *decision.Decision, o decision.Ref) bool {
	return slices.ContainsFunc(d.WhatIf, func(c decision.Change) bool { return same(c.Object, o) })
}

func same(a, b decision.Ref) bool {
	return a.Kind == b.Kind && a.Namespace == b.Namespace && a.Name == b.Name
}

func (all Registry) takesBack(owner, target decision.Ref) string {
	if c, _, modelled := all.ForKind(strings.ToLower(owner.Kind)); modelled && len(c.Scales) > 0 {
		return fmt.Sprintf("%s sets spec.replicas of %s itself and takes this change back: scale %[1]s instead", owner, target)
	}
	return fmt.Sprintf("%s controls %s and may take this change back", owner, target)
}

// forbidden is the resource of Pods where they explain an answer and the user may not list them.
func forbidden(r *view.Reader) string {
	for _, read := range r.Asked() {
		if read.Explains && read.Kind.GroupKind() == view.Pods.GroupKind() && apierrors.IsForbidden(read.Err) {
			return view.Pods.Resource
		}
	}
	return ""
}
