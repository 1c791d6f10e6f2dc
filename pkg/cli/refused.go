package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// errRefused ends a command whose what-if would not be stored. The answer has
// said why.
var errRefused = errors.New("the change would be refused")

// refusal is the error of an object that would not be stored as a what-if has it.
type refusal struct {
	of view.Target
	// at is the file and the line of its manifest, empty for a change by flags.
	at  string
	why error
	// answer is that of a webhook, nil for a refusal by the API server.
	answer *decision.Decision
}

func (r *refusal) Error() string {
	if r.at == "" {
		return r.why.Error()
	}
	return r.at + ": " + r.why.Error()
}

func (r *refusal) Unwrap() error { return r.why }

// asRefusal is an error as a refusal, nil for others.
//
//go:noinline // it is called at many places
func asRefusal(err error) *refusal {
	var r *refusal
	errors.As(err, &r)
	return r
}

// admitted is the refusal of a changed object by a webhook, nil where it would be stored.
func (l *laid) admitted(c controller.Controller, p profile.Profile, t view.Target, changed metav1.Object, changes []decision.Change) error {
	if c.Admit.Refuse == nil || len(changes) == 0 {
		return nil
	}
	d, err := c.Admit.Refuse(l.reader, p, changed, held(l.reader.View, t))
	if d == nil {
		return err
	}
	d.Assume(changes)
	return &refusal{of: t, why: refusedBy(d), answer: d}
}

// refusedBy is a webhook's answer as an error.
func refusedBy(d *decision.Decision) error {
	return errors.New(d.Target.Qualified() + strings.TrimSuffix(strings.TrimPrefix(d.Answer, d.Target.String()), "."))
}

// refusalOf is why the manifest of a target is not laid over the View, nil where it is.
func (l *laid) refusalOf(t view.Target) error {
	for _, r := range l.refusals {
		if sameTarget(r.of, t) {
			return r
		}
	}
	return nil
}

// without warns that a plan is without the manifests that would be refused.
func (l *laid) without(d *decision.Decision) {
	var all []decision.Caveat
	for _, r := range l.refusals {
		what := whatif.Manifest{Kind: r.of.Kind, Namespace: r.of.Namespace, Name: r.of.Name}
		all = append(all, decision.Caveat{Code: "ManifestRefused", Message: fmt.Sprintf("%s: %s would be refused: this plan is without it", r.at, what)})
	}
	d.WarnFirst(all...)
}

// refusedBesides are the refusals of manifests of a what-if that no answer is about: those
// of other objects than the aims.
func (s *session) refusedBesides(v *view.View, aims []aim) (besides failures) {
	if s.together == nil {
		return nil
	}
	for _, a := range aims {
		over, err := s.whatIf(v, s.profile, a.controller, a.Target)
		if err != nil {
			continue
		}
		for _, r := range over.refusals {
			if !slices.ContainsFunc(aims, func(b aim) bool { return b.same(r.of) }) {
				besides = append(besides, r)
			}
		}
	}
	return besides
}

// once leaves out errors that say the same as one before.
func (f failures) once() failures {
	said := map[string]bool{}
	return slices.DeleteFunc(f, func(err error) bool {
		text := err.Error()
		again := said[text]
		said[text] = true
		return again
	})
}

// refusedIn are the refusals among decisions, as errors.
func refusedIn(ds []*decision.Decision) (all failures) {
	for _, d := range ds {
		if len(d.Refused) > 0 {
			all = append(all, &refusal{at: d.Manifest, why: refusedBy(d)})
		}
	}
	return all
}
