package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// session decides about the subjects, on one View after the other.
type session struct {
	*opened
	subjects []subject
	pick     pickFlags
	// triage: the subjects are all kinds, and what one of them controls is left out.
	triage bool
	// unheld are the kinds of a triage that every cluster has and the files hold none of.
	unheld []string
	// closely: one object is explained, so that it is worth a read that of many would cost
	// too much.
	closely bool
	// whatIf lays a change over the View for one target; nil for none.
	whatIf change
	// keep names the Pods of which it is asked whether they are spared.
	keep []string
	// rounds asks for a simulation; nil for the next step alone.
	rounds *simulate.Options
	// opening is told about the source before the first question; may be nil.
	opening func(context.Context, *opened)
	// keeping makes, for each round, what keeps of each decision no more than is
	// printed: of many objects, the whole decisions take much memory. nil for all.
	keeping func() keep
	// creates reports whether the what-if may bring the target into being.
	creates func(view.Target) bool
	// together lists the objects of the what-if in a namespace, those of a kind that is not
	// modelled without a controller; nil where it is about one object.
	together func(namespace string) []aim
}

// change lays what a flag says over a View, for one target.
type change = func(*view.View, profile.Profile, controller.Controller, view.Target) (*laid, error)

// laid is a View with a change over it, and what was read for that.
type laid struct {
	*view.View
	reader  *view.Reader
	changes []decision.Change
	// unread says what is not known of the changes.
	unread []string
	// refusals are of the manifests that would not be stored: the View is without them.
	refusals []*refusal
}

// round is what became of the targets on one View.
type round struct {
	decisions []*decision.Decision
	// failed are the errors of the targets that could not be decided.
	failed failures
	// looked is true where nothing was found in a namespace that is there.
	looked bool
	// leftOut are objects of a triage that the files hold without what decides them.
	leftOut []string
	// readers tell what was read.
	readers []*view.Reader
}

// decide loads what is needed and decides about every target.
func (s *session) decide(ctx context.Context) (*view.Settled[round], error) {
	return view.Settle(ctx, s.Source, func(v *view.View) (round, []*view.Reader, error) {
		s.controllers.Declare(v)
		r, err := s.round(v)
		return r, r.readers, err
	})
}

// round decides on one View. While something is missing its result is
// provisional, and so are its errors.
func (s *session) round(v *view.View) (round, error) {
	lister := v.Reader()
	r := round{readers: []*view.Reader{lister}}
	aims, err := s.targets(lister, &r)
	if err == nil && len(aims)+len(r.failed) == 0 && !s.pick.allNamespaces {
		r.looked, err = s.noNamespace(lister, s.namespace)
	}
	if err != nil {
		return r, err
	}
	if s.closely && s.whatIf == nil {
		v = v.LookedAtClosely()
	}
	keep := whole
	if s.keeping != nil {
		keep = s.keeping()
	}
	among := s.rivalry(v, aims)
	for _, a := range s.crowd(v, aims, &r) {
		d, used, err := s.one(v, a)
		r.note(used)
		if err != nil && !provisional(used) {
			err = s.suggest(lister, a, unserved(a.controller, err))
		}
		if s.triage && s.files && view.NotCaptured(err) {
			r.leftOut = append(r.leftOut, strings.ToLower(a.Kind.Kind)+"/"+a.Namespace+"/"+a.Name)
			continue
		}
		if err != nil {
			r.failed = append(r.failed, err)
			continue
		}
		if !among.competes(a, d, len(r.decisions)) {
			d = keep(d)
		}
		r.decisions = append(r.decisions, d)
	}
	r.failed = append(r.failed, s.refusedBesides(v, aims)...).once()
	s.compete(among, &r, keep)
	decision.Disperse(r.decisions)
	return r, nil
}

func (r *round) note(used []*view.Reader) {
	for _, u := range used {
		r.readers = append(r.readers, u.Noted())
	}
}

// targets are those of the subjects; what can't be listed of a triage is noted.
func (s *session) targets(lister *view.Reader, r *round) (aims []aim, err error) {
	if s.triage {
		aims, r.failed = s.triaged(lister)
		return aims, nil
	}
	return s.aims(lister)
}

func provisional(used []*view.Reader) bool {
	return slices.ContainsFunc(used, (*view.Reader).Provisional)
}

// one decides about one target, on what the what-if makes of the View.
// A panic is the target's error.
func (s *session) one(v *view.View, a aim) (_ *decision.Decision, _ []*view.Reader, err error) {
	defer controller.Caught(a.Target, &err)
	if err := s.check(v, a); err != nil {
		return nil, nil, err
	}
	if s.whatIf == nil {
		return s.judged(v.Alongside(a.demands), a, nil)
	}
	over, err := s.whatIf(v, s.profile, a.controller, a.Target)
	used := []*view.Reader{over.reader}
	if err == nil {
		err = over.refusalOf(a.Target)
	}
	if r := asRefusal(err); r != nil && r.answer != nil {
		r.answer.AssumeManifest(r.at)
		return r.answer, used, nil
	}
	if err != nil {
		return nil, used, err
	}
	d, more, err := s.judged(over.Alongside(a.demands), a, over.changes)
	if err == nil {
		controller.NoteGaps(d, over.reader)
		for _, text := range over.unread {
			d.AddUnread("LastAppliedLeftOut", text)
		}
		over.without(d)
	}
	return d, append(used, more...), err
}

// judged decides, and says what becomes of the Pods of --keep.
func (s *session) judged(v *view.View, a aim, changes []decision.Change) (*decision.Decision, []*view.Reader, error) {
	d, used, err := s.run(v, a, changes)
	if err != nil || len(s.keep) == 0 {
		return d, used, err
	}
	more, err := s.spare(v, a, changes, d)
	return d, append(used, more...), err
}

// run decides, and simulates what follows when that is asked for.
func (s *session) run(v *view.View, a aim, changes []decision.Change) (*decision.Decision, []*view.Reader, error) {
	if s.rounds != nil {
		return a.controller.Simulate(v, s.profile, a.Target, changes, *s.rounds)
	}
	r := v.Reader()
	d, err := a.controller.Run(r, s.profile, a.Target, changes)
	return d, []*view.Reader{r}, err
}

// check finds what makes it pointless to decide on files. A cluster answers
// for itself.
func (s *session) check(v *view.View, a aim) error {
	if !s.files {
		return nil
	}
	obj := held(v, a.Target)
	switch {
	case obj != nil:
		return leftOut(v, a, obj, s.rounds != nil)
	case s.creates != nil && s.creates(a.Target):
		return nil
	}
	return &view.NotFound{Target: a.Target}
}

// suggest adds the names that may have been meant to a target that was not found.
func (s *session) suggest(r *view.Reader, a aim, err error) error {
	if _, ok := errors.AsType[*view.NotFound](err); !ok {
		return err
	}
	if _, err := s.noNamespace(r, a.Namespace); err != nil {
		return err
	}
	objs := r.AllMetadata(a.Kind)
	if a.Namespace != "" {
		objs = r.Metadata(view.Need{Kind: a.Kind, Namespace: a.Namespace, IfMissing: "names that may have been meant are not suggested", Explains: true})
	}
	var names []string
	for _, o := range objs {
		names = append(names, o.GetName())
	}
	return withNear(a.Target, unique(names), err)
}
