package deployment

import (
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/refmanager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// claims is what the sync's first step comes to.
type claims struct {
	owner ownership.Claimer
	sets  []*appsv1.ReplicaSet
	// contested are those of sets that others may adopt first.
	contested []*appsv1.ReplicaSet
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
	manager := refmanager.Manager{
		Reader: s.r, Kind: view.ReplicaSets, Owner: s.ref, Selector: selector, Live: s.given.API.Live,
		Send: func(_ decision.Verb, w cluster.Write) error { return s.server.send(w, nil) },
	}
	for _, rs := range s.candidates(selector) {
		if !s.lost.Has(rs.UID) {
			s.claimed(rs, manager.Claim(rs, s.claims.owner.Claim(rs)))
		}
	}
	if read := manager.Read(); read != nil {
		s.out.ClaimBy(*read)
	}
	if err := manager.Err(); err != nil {
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

// claimed puts the claim of a set on record.
func (s *sync) claimed(rs *appsv1.ReplicaSet, c refmanager.Claimed) {
	if c.Sent != "" && c.Err == nil {
		s.server.touch(rs.UID)
		a := s.act(c.Sent, rs, c.Ruling)
		a.Patch = c.Patch
		if c.Rivals != nil {
			a.Share(&c.Rivals.Choice)
		}
	}
	if c.Kept() {
		s.keep(rs, c.Rivals != nil)
	}
	if c.Ruling.Rule != "" {
		s.out.Claim(decision.Claim{Object: ownership.RefTo(view.ReplicaSets, rs), Decision: c.Decision, Ruling: c.Ruling})
	}
}

// keep counts a set as the Deployment's. Files may lack the default of
// spec.replicas.
func (s *sync) keep(rs *appsv1.ReplicaSet, contested bool) {
	if contested {
		s.claims.contested = append(s.claims.contested, rs)
	}
	if rs.Spec.Replicas == nil {
		rs = rs.DeepCopy()
		rs.Spec.Replicas = new(int32(1))
	}
	s.claims.sets = append(s.claims.sets, rs)
}
