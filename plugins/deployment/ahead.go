package deployment

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostRetries bounds the look ahead. Bookkeeping takes a sync for the new set
// and one for the Deployment itself.
const mostRetries = 3

// lookAhead decides on the retry of a sync that failed on its own write, as if
// nothing else happened in those milliseconds. What users ask for is often
// done there: the first sync only brought annotations up to date.
func (s *sync) lookAhead() {
	if s.out.NextSync.Rule != RetryAfterOwnWrite || s.given.Follow == nil || s.given.retries == mostRetries {
		return
	}
	over, known := s.after()
	if !known {
		return
	}
	r := over.Reader()
	t := view.Target{Kind: view.Deployments, Namespace: s.d.Namespace, Name: s.d.Name}
	next, err := Decide(r, s.profile, t, Given{
		Follow: s.given.Follow, retries: s.given.retries + 1, doubt: s.doubtOfRetry(),
	})
	for _, read := range r.Asked() {
		_ = s.r.Err(read.Need) // so that it is loaded, if it is not there yet
	}
	if err != nil {
		s.out.AddCaveat("FollowUpUnknown", fmt.Sprintf("what the retry of %s does is not known: %v", s.ref, err))
		return
	}
	if s.r.WhatIf() {
		next.WhatIf = []decision.Change{{Object: s.ref}}
	}
	Rules.Phrase(next)
	if len(next.Actions) > 0 {
		s.out.Follows = append(s.out.Follows, decision.Effect{
			Cause: s.ref, Answer: Answer(next), Summary: next.Summary, Actions: next.Actions, Evidence: next.Evidence,
		})
	}
	s.supersede(next.Follows)
}

// doubtOfRetry is what the retry depends on: what it finds is what this sync left.
func (s *sync) doubtOfRetry() *decision.Caveat {
	for _, a := range s.out.Actions {
		if doubt := s.doubtOf(a); doubt != nil {
			return doubt
		}
	}
	return s.given.doubt
}

// supersede adds what follows the retry. The sets' controller sees what the
// retry leaves, so that what it would have done before is no more.
func (s *sync) supersede(later []decision.Effect) {
	s.out.Follows = slices.DeleteFunc(s.out.Follows, func(e decision.Effect) bool {
		return slices.ContainsFunc(later, func(l decision.Effect) bool { return l.Cause.Kind == e.Cause.Kind && l.Cause.Name == e.Cause.Name })
	})
	s.out.Follows = append(s.out.Follows, later...)
}

// after is the View with the sync's writes laid over it. Views can't lose
// objects: after a deletion it is not known.
func (s *sync) after() (*view.View, bool) {
	over := s.r.View
	var sets []metav1.Object
	for i := range s.server.writes {
		w := &s.server.writes[i]
		now, _ := over.Held(w.Kind, w.Namespace, w.Name)
		switch {
		case w.Err != nil:
		case w.Verb == cluster.Delete:
			return nil, false
		case w.Kind.GroupKind() == view.ReplicaSets.GroupKind():
			sets = append(sets, w.After(now)) // there may be many: one View for all
		default:
			over = over.With(w.Kind, w.After(now))
		}
	}
	return over.With(view.ReplicaSets, sets...), true
}
