package deployment

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// doubtful is what actions depend on that are not certain; nil for nothing.
func (s *sync) doubtful() *decision.Caveat {
	if len(s.doubts) > 0 {
		return &decision.Caveat{Code: admission.InDoubt, Message: strings.Join(s.doubts, "; ")}
	}
	return s.adoptedFirst()
}

// named is a set whose hash can stand in a label: a new one's is not known.
// Pods with the hash that it will have, which it would adopt, can't be found.
func named(rs *appsv1.ReplicaSet) *appsv1.ReplicaSet {
	if rs.Labels[appsv1.DefaultDeploymentUniqueLabelKey] != UnknownHash {
		return rs
	}
	rs = rs.DeepCopy()
	for _, labels := range []map[string]string{rs.Labels, rs.Spec.Selector.MatchLabels, rs.Spec.Template.Labels} {
		labels[appsv1.DefaultDeploymentUniqueLabelKey] = view.PredictedHash
	}
	return rs
}

// caveats says what limits the answer.
func (s *sync) caveats() {
	if s.profile.Caveat != "" {
		s.out.AddCaveat(decision.VersionNotKnown, s.profile.Caveat)
	}
	for _, n := range s.r.Notes() {
		s.out.Warn(decision.Caveat(n).Whole())
	}
	s.contested()
	for _, a := range s.out.Actions {
		if a.Verb == decision.Create {
			s.out.AddCaveat("NameUnknown", fmt.Sprintf("the name of the new ReplicaSet ends in a hash of the template that only the controller manager's own version can compute; it is written %s here", UnknownHash))
			s.noteNameTaken()
		}
	}
	s.noteSetsFirst()
	for _, why := range admission.Caveats(s.doubts) {
		s.out.AddCaveat(admission.InDoubt, why)
	}
	for _, n := range s.r.Gaps() {
		s.out.Warn(decision.Caveat(n).Whole())
	}
}

// noteNameTaken says that a set which is not the Deployment's own, made from the same template,
// has the name that the new one may get (sync.go getNewReplicaSet, v1.37.1: AlreadyExists). Of one
// that this sync releases, the cache may hold the reference still: then only a later sync is
// refused.
func (s *sync) noteNameTaken() {
	for _, rs := range s.candidates(s.claims.owner.Selector) {
		hash := rs.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
		if hash == "" || rs.Name != s.d.Name+"-"+hash || !sameTemplate(&rs.Spec.Template, &s.d.Spec.Template) {
			continue
		}
		how, then := "another owner", "the sync raises status.collisionCount, and the next one"
		switch matches := s.claims.owner.Selector.Matches(labels.Set(rs.Labels)); {
		case metav1.IsControlledBy(rs, s.d) && matches:
			continue
		case metav1.IsControlledBy(rs, s.d):
			how, then = "is released", "status.collisionCount is raised, and a later sync"
		case metav1.GetControllerOfNoCopy(rs) == nil:
			how = "no owner"
		}
		s.out.AddCaveat("NameTaken", fmt.Sprintf("replicaset/%s has the same template and %s: if the hash is the same, the API server refuses the new ReplicaSet as already existing, "+
			"%s creates it with another hash", rs.Name, how, then))
	}
}

// noteSetsFirst says of sets that are scaled back that their own controller may sync them first, to
// the size that they have now.
func (s *sync) noteSetsFirst() {
	for i := range s.out.Sets {
		set := &s.out.Sets[i]
		verb, n := "create", set.Replicas-max(set.Actual, set.Next)
		if set.Actual > set.Replicas {
			verb, n = "delete", min(set.Actual, set.Next)-set.Replicas
		}
		if n > 0 && !set.Deleting {
			s.out.AddCaveat("ScaledBack", set.Object.String()+" may "+verb+" up to "+format.Plural(int(n), "Pod")+" before it is scaled back")
		}
	}
}
