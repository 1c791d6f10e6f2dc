package deployment

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	if s.out.Summary.Delete() > 0 {
		return nil, false
	}
	var sets []metav1.Object
	for _, rs := range s.claims.moved {
		sets = append(sets, rs)
	}
	for _, rs := range s.changed {
		sets = append(sets, rs)
	}
	over := s.r.With(view.ReplicaSets, sets...)
	for _, w := range slices.Backward(s.server.writes) {
		if d, ok := w.Object.(*appsv1.Deployment); ok && w.Err == nil {
			return over.With(view.Deployments, d), true
		}
	}
	return over, true
}

// reowned is a set after its adoption or release.
func (s *sync) reowned(verb decision.Verb, rs *appsv1.ReplicaSet) *appsv1.ReplicaSet {
	rs = rs.DeepCopy()
	if verb == decision.Adopt {
		rs.OwnerReferences = append(rs.OwnerReferences, *metav1.NewControllerRef(s.d, appsv1.SchemeGroupVersion.WithKind("Deployment")))
		return rs
	}
	rs.OwnerReferences = slices.DeleteFunc(rs.OwnerReferences, func(o metav1.OwnerReference) bool { return o.UID == s.d.UID })
	return rs
}
