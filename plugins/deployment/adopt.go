package deployment

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func (s *sync) adopt(rs *appsv1.ReplicaSet, v *ownership.Verdict) {
	if err := s.recheck(); err != nil {
		s.claims.refuse(fmt.Errorf("can't adopt ReplicaSet %s/%s (%s): %w", rs.Namespace, rs.Name, rs.UID, err))
		return
	}
	why, n := ownership.Contested(s.r, view.ReplicaSets, s.d.UID, s.claims.owner.Selector, rs)
	if n > 0 {
		v.Ruling = why
	}
	err := s.server.patchSet(rs, v.Patch, func(now metav1.Object) metav1.Object { return ownership.With(now, s.reference()) })
	s.claimed(decision.Adopt, rs, *v, err, n)
	switch {
	case err == nil:
		s.keep(rs)
		if n > 0 {
			s.claims.contest(rs)
		}
	case !errors.Is(err, cluster.ErrNotFound):
		s.claims.refuse(err)
	}
}

// claimed puts an adoption or release on record. rivals is how many other
// controllers would adopt the set.
func (s *sync) claimed(verb decision.Verb, rs *appsv1.ReplicaSet, v ownership.Verdict, err error, rivals int) {
	if err != nil {
		return
	}
	a := s.act(verb, rs, v.Ruling)
	a.Patch = v.Patch
	if rivals > 0 {
		a.Share(&decision.Choice{K: 1, N: rivals + 1})
	}
}

// recheck makes sure that the Deployment is still the one it was, and stays
// (RecheckDeletionTimestamp of controller_ref_manager.go, v1.37.1).
func (s *sync) recheck() error {
	return s.claims.recheck(func() error {
		err := s.liveProblem()
		s.out.ClaimBy(ownership.Recheck(s.ref, err))
		return err
	})
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
