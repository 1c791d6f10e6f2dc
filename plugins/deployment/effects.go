package deployment

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// follow looks at what the sets' own controller does once this sync is over.
func (s *sync) follow() {
	if s.given.Follow == nil {
		return
	}
	var sets []metav1.Object
	for _, rs := range s.changed {
		sets = append(sets, named(rs))
	}
	left := s.r.With(view.ReplicaSets, sets...)
	seen := map[string]bool{}
	var all []followed
	for _, a := range s.out.Actions {
		if a.Verb != decision.Scale && a.Verb != decision.Create || seen[a.Object.Name] {
			continue
		}
		seen[a.Object.Name] = true
		set := named(s.changed[a.Object.Name])
		d, err := s.given.Follow(s.r, s.profile, set, left, s.doubtOf(a))
		if err != nil {
			s.out.AddCaveat("FollowUpUnknown", fmt.Sprintf("what %s does next is not known: %v", a.Object, err))
			continue
		}
		if s.isNew(a.Object.Name) && len(d.Actions) == 0 && len(d.Evidence) == 0 {
			continue // made without pods
		}
		all = append(all, followed{a, set, d})
	}
	s.shareRoom(all, left)
	for _, f := range all {
		s.out.Follows = append(s.out.Follows, f.effect())
	}
}

// followed is what the controller of a set does next, about which action.
type followed struct {
	cause    decision.Action
	set      *appsv1.ReplicaSet
	decision *decision.Decision
}

// doubtOf is what an action depends on, and with it what follows from it; nil for
// one that is certain.
func (s *sync) doubtOf(a decision.Action) *decision.Caveat {
	switch {
	case a.Certainty == decision.Certain:
		return nil
	case len(s.doubts) > 0:
		return &decision.Caveat{Code: inDoubt, Message: strings.Join(s.doubts, "; ")}
	case s.given.doubt != nil:
		return s.given.doubt
	}
	return s.adoptedFirst()
}

func (f followed) effect() decision.Effect {
	d := f.decision
	return decision.Effect{
		Cause: f.cause.Object, Answer: d.Answer, Summary: d.Summary, Actions: d.Actions,
		Ranking: d.Ranking, Evidence: d.Evidence, Caveats: d.Caveats,
	}
}

// named is a set whose hash can stand in a label: a new one's is not known.
// Pods with the hash that it will have, which it would adopt, can't be found.
func named(rs *appsv1.ReplicaSet) *appsv1.ReplicaSet {
	if rs.Labels[appsv1.DefaultDeploymentUniqueLabelKey] != UnknownHash {
		return rs
	}
	rs = rs.DeepCopy()
	for _, labels := range []map[string]string{rs.Labels, rs.Spec.Selector.MatchLabels, rs.Spec.Template.Labels} {
		labels[appsv1.DefaultDeploymentUniqueLabelKey] = "unknown"
	}
	return rs
}

// isNew tells whether the set is one that this sync creates.
func (s *sync) isNew(name string) bool { return name == s.setName() }

// caveats says what limits the answer.
func (s *sync) caveats() {
	if s.profile.Caveat != "" {
		s.out.AddCaveat("VersionNotKnown", s.profile.Caveat)
	}
	for _, n := range s.r.Notes() {
		s.out.AddCaveat(n.Code, n.Message)
	}
	s.contested()
	for _, a := range s.out.Actions {
		if a.Verb == decision.Create {
			s.out.AddCaveat("NameUnknown", fmt.Sprintf("the name of the new ReplicaSet ends in a hash of the template that only the controller manager's own version can compute; it is written %s here", UnknownHash))
		}
	}
	for _, why := range admission.Caveats(s.doubts) {
		s.out.AddCaveat(inDoubt, why)
	}
	for _, n := range s.r.Gaps() {
		s.out.AddCaveat(n.Code, n.Message)
	}
}

// sayOnce drops caveats of what follows that the Decision itself has.
func (s *sync) sayOnce() {
	for i := range s.out.Follows {
		e := &s.out.Follows[i]
		e.Caveats = slices.DeleteFunc(slices.Clone(e.Caveats), func(c decision.Caveat) bool { return slices.Contains(s.out.Caveats, c) })
	}
}
