package cloneset

import (
	"errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/assess"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rounds"
)

// Step decides as Decide does, and says what becomes of what was decided.
func Step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	return stepFrom(r, p, t, reconcile.Given{})
}

func stepFrom(r *view.Reader, p profile.Profile, t view.Target, given reconcile.Given) (*simulate.Sync, error) {
	log := &cluster.Log{}
	s, err := decide(r, p, t, given, log)
	if err != nil {
		return nil, err
	}
	step := rounds.Of(s.Run, &s.found, *log)
	why, found := s.lastRefusal(p)
	if !found {
		return step, nil
	}
	return step.After(simulate.Attempt{Why: why.Label, Creates: s.Decision.Summary.Create > 0, Retried: assess.Retried(why), Blocks: why.Blocked, Fits: assess.MayFit(why)}, func() (*simulate.Sync, error) {
		given.Refuse, log = s.refusing(why.Message), &cluster.Log{}
		again, err := decide(r, p, t, given, log)
		if err != nil {
			return nil, err
		}
		return rounds.Of(again.Run, &again.found, *log), nil
	})
}

// refusing is an API server that refuses what the sync does to Pods first.
func (s *sync) refusing(message string) func(reconcile.Call) error {
	return func(c reconcile.Call) error {
		if c.Kind == view.Pods.Kind && s.doesFirst(cluster.Verb(c.Verb)) {
			return errors.New(message)
		}
		return nil
	}
}

// doesFirst reports whether the sync does this to Pods before anything else: it creates, it
// deletes, or it updates them.
func (s *sync) doesFirst(verb cluster.Verb) bool {
	switch of := s.Decision.Summary; {
	case of.Create > 0:
		return verb == cluster.Create
	case of.Delete() > 0:
		return verb == cluster.Delete
	}
	return verb != cluster.Create && verb != cluster.Delete
}

// lastRefusal is what refused the last creation, deletion or update in place, of a set that does
// that now.
func (s *sync) lastRefusal(p profile.Profile) (why decision.Cause, found bool) {
	if s.Given.Refuse != nil || len(s.Decision.Actions) == 0 {
		return decision.Cause{}, false
	}
	return assess.RefusedBefore(s.Reader, p, s.Set, s.Decision)
}
