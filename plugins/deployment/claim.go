package deployment

import (
	"errors"
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// claims is what the sync's first step comes to.
type claims struct {
	owner ownership.Claimer
	sets  []*appsv1.ReplicaSet
	// contested are those of sets that others may adopt first.
	contested []*appsv1.ReplicaSet
	// canAdopt is the answer of the live read, which is made once a sync.
	canAdopt *error
	refusals []error
}

func (c *claims) refuse(err error) { c.refusals = append(c.refusals, err) }

func (c *claims) contest(rs *appsv1.ReplicaSet) { c.contested = append(c.contested, rs) }

// recheck asks once whether sets may be adopted.
func (c *claims) recheck(ask func() error) error {
	if c.canAdopt == nil {
		err := ask()
		c.canAdopt = &err
	}
	return *c.canAdopt
}

// claim mirrors getReplicaSetsForDeployment (deployment_controller.go) and
// ClaimReplicaSets (controller_ref_manager.go, v1.37.1). Sets that are being
// deleted stay claimed.
func (s *sync) claim() error {
	selector, err := metav1.LabelSelectorAsSelector(s.d.Spec.Selector)
	if err != nil {
		s.stop(InvalidSelector, decision.At(keyError, err.Error(), "spec.selector"))
		return fmt.Errorf("deployment %s/%s has invalid label selector: %w", s.d.Namespace, s.d.Name, err)
	}
	s.claims.owner = ownership.Claimer{Ref: s.ref, Deleting: s.d.DeletionTimestamp != nil, Selector: selector}
	for _, rs := range s.candidates(selector) {
		s.claimSet(rs)
	}
	if err := utilerrors.NewAggregate(s.claims.refusals); err != nil {
		s.stop(ClaimRefused, decision.F(keyError, err.Error()))
		return err
	}
	sort.Sort(byCreation(s.claims.sets))
	s.sets = tellApart(s.d, s.claims.sets)
	return nil
}

func (s *sync) setsNeed() view.Need {
	return view.Need{Kind: view.ReplicaSets, Namespace: s.d.Namespace}
}

// candidates are the sets worth a verdict: those that match the selector, and
// those that refer to the Deployment.
func (s *sync) candidates(selector labels.Selector) []*appsv1.ReplicaSet {
	need := s.setsNeed()
	return ownership.Candidates(s.r, need, view.List[*appsv1.ReplicaSet](s.r, need, selector), selector, s.d.UID)
}

func (s *sync) claimSet(rs *appsv1.ReplicaSet) {
	if s.lost.Has(rs.UID) {
		return
	}
	v := s.claims.owner.Claim(rs)
	switch v.Decision { //exhaustive:enforce
	case decision.Owned:
		s.keep(rs)
	case decision.ToAdopt:
		s.adopt(rs, &v)
	case decision.ToRelease:
		err := s.server.patchSet(rs, v.Patch, func(now metav1.Object) metav1.Object { return ownership.Without(now, s.d.UID) })
		s.claimed(decision.Release, rs, v, err, 0)
		if err != nil && !errors.Is(err, cluster.ErrNotFound) && !errors.Is(err, cluster.ErrInvalid) {
			s.claims.refuse(err)
		}
	case decision.Ignored, decision.Inactive:
	}
	if v.Ruling.Rule != "" {
		s.out.Claim(decision.Claim{Object: ownership.RefTo(view.ReplicaSets, rs), Decision: v.Decision, Ruling: v.Ruling})
	}
}

// keep counts a set as the Deployment's. Files may lack the default of
// spec.replicas.
func (s *sync) keep(rs *appsv1.ReplicaSet) {
	if rs.Spec.Replicas == nil {
		rs = rs.DeepCopy()
		rs.Spec.Replicas = new(int32(1))
	}
	s.claims.sets = append(s.claims.sets, rs)
}
