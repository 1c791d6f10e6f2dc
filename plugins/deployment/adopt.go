package deployment

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func (s *sync) adopt(rs *appsv1.ReplicaSet, v *ownership.Verdict) {
	if err := s.recheck(); err != nil {
		s.claims.refusals = append(s.claims.refusals, fmt.Errorf("can't adopt ReplicaSet %s/%s (%s): %w", rs.Namespace, rs.Name, rs.UID, err))
		return
	}
	if rivals := s.rivals(rs); len(rivals) > 0 {
		v.Ruling = decision.Ruled(SetContested, decision.F("selector", s.claims.owner.Selector.String()), decision.F("rivals", strings.Join(rivals, ", ")))
	}
	err := s.server.patchSet(rs, v.Patch)
	s.claimed(decision.Adopt, rs, *v, err)
	switch {
	case err == nil:
		s.keep(rs)
	case !isAny(err, ErrNotFound):
		s.claims.refusals = append(s.claims.refusals, err)
	}
}

// claimed puts an adoption or release on record.
func (s *sync) claimed(verb decision.Verb, rs *appsv1.ReplicaSet, v ownership.Verdict, err error) {
	if err != nil {
		return
	}
	s.claims.moved = append(s.claims.moved, s.reowned(verb, rs))
	a := s.act(verb, rs, v.Ruling)
	a.Patch = v.Patch
	if v.Ruling.Rule == SetContested {
		a.Certainty = decision.Possible
		a.Choice = &decision.Choice{K: 1, N: strings.Count(v.Ruling.Facts.Str("rivals"), ",") + 2}
	}
}

// recheck makes sure that the Deployment is still the one it was, and stays
// (RecheckDeletionTimestamp of controller_ref_manager.go, v1.37.1).
func (s *sync) recheck() error {
	if s.claims.canAdopt == nil {
		err := s.liveProblem()
		s.claims.canAdopt = &err
	}
	return *s.claims.canAdopt
}

func (s *sync) liveProblem() error {
	if s.given.API.Live == nil {
		return nil
	}
	live, err := s.given.API.Live()
	switch {
	case err != nil:
		return fmt.Errorf("can't recheck DeletionTimestamp: %w", err)
	case live.GetUID() != s.d.UID:
		return fmt.Errorf("can't recheck DeletionTimestamp: original Deployment %s/%s is gone: got uid %s, wanted %s",
			s.d.Namespace, s.d.Name, live.GetUID(), s.d.UID)
	case live.GetDeletionTimestamp() != nil:
		return fmt.Errorf("%s/%s has just been deleted at %s", live.GetNamespace(), live.GetName(), live.GetDeletionTimestamp().UTC())
	}
	return nil
}

// rivals are the other Deployments that would adopt the set.
func (s *sync) rivals(rs *appsv1.ReplicaSet) []string {
	need := view.Need{
		Kind: view.Deployments, Namespace: s.d.Namespace,
		Without: "whether another Deployment would adopt the same ReplicaSet is not known",
	}
	var names []string
	for _, d := range view.List[*appsv1.Deployment](s.r, need, nil) {
		sel, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
		if err == nil && !sel.Empty() && d.UID != s.d.UID && d.DeletionTimestamp == nil && sel.Matches(labels.Set(rs.Labels)) {
			names = append(names, ownership.RefTo(view.Deployments, d).String())
		}
	}
	return names
}
