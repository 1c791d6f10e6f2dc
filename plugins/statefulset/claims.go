package statefulset

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/volume"
)

//go:noinline // it is called at many places
func claimRef(claim metav1.Object) decision.Ref {
	return ownership.RefTo(view.PersistentVolumeClaims, claim)
}

// claimsFreed are the claims that are being deleted and are removed after the Pods that use
// them, as far as claims were read.
func (s *reconcile) claimsFreed() (names []string) {
	if !s.volumes.read {
		return nil
	}
	for _, p := range slices.Concat(s.replicas, s.condemned) {
		for claim := range s.volumes.claimsOf(p) {
			if p.created && s.volumes.goesWith(claim, p.Name) {
				names = append(names, claim.GetName())
			}
		}
	}
	return names
}

// createMissingClaims mirrors createMissingPersistentVolumeClaims (stateful_pod_control.go,
// v1.37.1), of a Pod that is Pending.
func (s *reconcile) createMissingClaims(p *pod) error {
	if err := s.createClaims(p); err != nil || !s.behaviour.retention {
		return err
	}
	return s.ownClaims(p)
}

// createClaims mirrors createPersistentVolumeClaims (same file): a claim that is being
// deleted is an error, after the others are created.
func (s *reconcile) createClaims(p *pod) error {
	if !s.volumes.hasClaims() {
		return nil
	}
	var errs []error
	for _, claim := range volume.Claims(s.set, p.ordinal) {
		stored := s.volumes.stored(claim.Name)
		switch {
		case stored == nil:
			if err := s.createClaim(p, claim); err != nil {
				errs = append(errs, fmt.Errorf("failed to create PVC %s: %w", claim.Name, err))
			}
		case stored.GetDeletionTimestamp() != nil:
			errs = append(errs, fmt.Errorf("pvc %s is being deleted", claim.Name))
			s.hold(ClaimBeingDeleted, claimRef(stored), decision.F(keyPod, p.Name))
			s.holdUp(ClaimBeingDeleted, p)
		}
	}
	return utilerrors.NewAggregate(errs)
}

func (s *reconcile) createClaim(p *pod, claim *corev1.PersistentVolumeClaim) error {
	err := s.server.send(object(cluster.Create, view.PersistentVolumeClaims, claim))
	if err == nil {
		s.volumes.make(p.Name)
		s.act(decision.Create, claimRef(claim), decision.Ruled(CreateClaim, decision.F(keyPod, p.Name)))
	}
	return err
}

// claimsKept mirrors ClaimsMatchRetentionPolicy (same file).
func (s *reconcile) claimsKept(p *pod) bool {
	if !s.behaviour.retention || len(s.set.Spec.VolumeClaimTemplates) == 0 {
		return true
	}
	owners := s.volumes.owners(p)
	for claim := range s.volumes.claimsOf(p) {
		refs := claim.GetOwnerReferences()
		if !owners.Kept(refs) {
			return false
		}
		s.noteForeign(p, claim, owners)
	}
	return true
}

// noteForeign says that the retention policy is not applied to a claim of something else.
func (s *reconcile) noteForeign(p *pod, claim metav1.Object, owners volume.Owners) {
	if refs := claim.GetOwnerReferences(); len(refs) == 0 || !owners.Unexpected(refs) {
		return
	}
	of := claimRef(claim)
	if !slices.ContainsFunc(s.out.Evidence, func(e decision.Evidence) bool { return e.Rule == ClaimOwnedElsewhere && e.Source == of }) {
		s.hold(ClaimOwnedElsewhere, of, decision.F(keyPod, p.Name))
	}
}

func namesOf(claims []decision.Ref) string {
	names := make([]string, len(claims))
	for i, c := range claims {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// keepClaims sets the owners of the claims of a Pod beyond the ordinals.
func (s *reconcile) keepClaims(i int) (ends bool, err error) {
	if p := s.condemned[i]; !s.claimsKept(p) {
		err = s.ownClaims(p)
	}
	return err != nil, err
}

// ownClaims mirrors UpdatePodClaimForRetentionPolicy (same file).
func (s *reconcile) ownClaims(p *pod) error {
	owners := s.volumes.owners(p)
	for claim := range s.volumes.claimsOf(p) {
		refs := claim.GetOwnerReferences()
		s.noteForeign(p, claim, owners)
		if owners.Kept(refs) {
			continue
		}
		if err := s.ownClaim(p, claim, owners.Next(refs)); err != nil {
			return fmt.Errorf("could not update claim %s for delete policy ownerRefs: %w", claim.GetName(), err)
		}
	}
	return nil
}

func (s *reconcile) ownClaim(p *pod, claim metav1.Object, refs []metav1.OwnerReference) error {
	need := s.volumesNeed()
	need.Name = claim.GetName()
	whole, found := view.Get[*corev1.PersistentVolumeClaim](s.r, need)
	if !found {
		return nil // a caveat says that it could not be read
	}
	next := whole.DeepCopy()
	next.OwnerReferences = refs
	err := s.server.send(object(cluster.Update, view.PersistentVolumeClaims, next))
	if err == nil {
		s.act(decision.Modify, claimRef(claim), decision.Ruled(OwnClaim, decision.F(keyPod, p.Name), decision.F(keyOwners, ownerNames(refs)),
			decision.At(keyWhenScaled, retention(s.set.Spec.PersistentVolumeClaimRetentionPolicy, false), "spec.persistentVolumeClaimRetentionPolicy.whenScaled"),
			decision.At(keyWhenDeleted, retention(s.set.Spec.PersistentVolumeClaimRetentionPolicy, true), "spec.persistentVolumeClaimRetentionPolicy.whenDeleted")))
	}
	return err
}
