package statefulset

import (
	"fmt"
	"iter"
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

// volumes are the PersistentVolumeClaims of the namespace by name, as far as metadata
// tell, read once they are needed.
type volumes struct {
	read   bool
	unread bool
	byName map[string]metav1.Object
	// made are the names of Pods that get a claim in this sync.
	made map[string]bool
}

func (v *volumes) make(pod string) {
	if v.made == nil {
		v.made = map[string]bool{}
	}
	v.made[pod] = true
}

// stored is the claim of a name in the controller's cache, nil for none.
func (s *reconcile) stored(name string) metav1.Object {
	s.readVolumes()
	return s.volumes.byName[name]
}

func (s *reconcile) readVolumes() {
	if s.volumes.read {
		return
	}
	need := s.volumesNeed()
	unread := s.r.Err(need) != nil
	type key struct{ namespace string }
	s.volumes.fill(unread, view.Derived(s.r.View, key{s.set.Namespace + " claims"}, func() map[string]metav1.Object {
		all := map[string]metav1.Object{}
		for _, m := range s.r.Metadata(need) {
			all[m.GetName()] = m
		}
		return all
	}))
}

func (v *volumes) fill(unread bool, byName map[string]metav1.Object) {
	v.read, v.unread, v.byName = true, unread, byName
}

// hasClaims reports whether Pods have claims of their own, and those were read.
func (s *reconcile) hasClaims() bool {
	if len(s.set.Spec.VolumeClaimTemplates) == 0 {
		return false
	}
	s.readVolumes()
	return !s.volumes.unread
}

func claimRef(claim metav1.Object) decision.Ref {
	return ownership.RefTo(view.PersistentVolumeClaims, claim)
}

// owners are who may own the claims of a Pod.
func (s *reconcile) owners(p *pod) volume.Owners {
	place := p.ordinal - s.first()
	return volume.Owners{
		Set: volume.SetOwner(s.set), Pod: volume.PodOwner(p.Name, p.UID), Policy: volume.PolicyOf(s.set),
		Scaled: place < 0 || place >= int(*s.set.Spec.Replicas),
	}
}

// claimsOf are the claims of a Pod that are in the cache, in the order of their templates.
func (s *reconcile) claimsOf(p *pod) iter.Seq[metav1.Object] {
	return func(yield func(metav1.Object) bool) {
		if !s.hasClaims() {
			return
		}
		for i := range s.set.Spec.VolumeClaimTemplates {
			claim := s.stored(volume.ClaimName(s.set, s.set.Spec.VolumeClaimTemplates[i].Name, p.ordinal))
			if claim != nil && !yield(claim) {
				return
			}
		}
	}
}

// claimsFreed are the claims that are being deleted and are removed after the Pods that use
// them, as far as claims were read.
func (s *reconcile) claimsFreed() (names []string) {
	if !s.volumes.read {
		return nil
	}
	for _, p := range slices.Concat(s.replicas, s.condemned) {
		for claim := range s.claimsOf(p) {
			if p.created && s.goesWith(claim, p.Name) {
				names = append(names, claim.GetName())
			}
		}
	}
	return names
}

// goesWith reports whether a volume claim is being deleted, and is removed with a Pod.
func (s *reconcile) goesWith(claim metav1.Object, pod string) bool {
	if claim.GetDeletionTimestamp() == nil {
		return false
	}
	user, others := s.keepers(claim, pod)
	return user == "" && len(others) == 0
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
	if !s.hasClaims() {
		return nil
	}
	var errs []error
	for _, claim := range volume.Claims(s.set, p.ordinal) {
		stored := s.stored(claim.Name)
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

// staleClaim mirrors PodClaimIsStale (same file): a claim that goes with another Pod of
// this name, nil for none.
func (s *reconcile) staleClaim(p *pod) metav1.Object {
	if !s.behaviour.retention || !volume.PolicyOf(s.set).Scaled {
		return nil
	}
	owner := volume.PodOwner(p.Name, p.UID)
	for claim := range s.claimsOf(p) {
		if owner.Stale(claim.GetOwnerReferences()) {
			return claim
		}
	}
	return nil
}

// claimsKept mirrors ClaimsMatchRetentionPolicy (same file).
func (s *reconcile) claimsKept(p *pod) bool {
	if !s.behaviour.retention || len(s.set.Spec.VolumeClaimTemplates) == 0 {
		return true
	}
	owners := s.owners(p)
	for claim := range s.claimsOf(p) {
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

// collected are the claims that the Pod alone owns once this sync has set their owners: the
// garbage collector deletes them after it.
func (s *reconcile) collected(p *pod) (all []decision.Ref) {
	if !s.behaviour.retention {
		return nil
	}
	owners := s.owners(p)
	if len(s.set.Spec.VolumeClaimTemplates) > 0 && !s.hasClaims() && owners.Policy.Scaled {
		return s.assumed(p)
	}
	for claim := range s.claimsOf(p) {
		refs := claim.GetOwnerReferences()
		if !owners.Kept(refs) {
			refs = owners.Next(refs)
		}
		if len(refs) == 1 && refs[0].UID == p.UID {
			all = append(all, claimRef(claim))
		}
	}
	return all
}

// assumed are the claims of a Pod where none were read: it uses them, so that they exist.
func (s *reconcile) assumed(p *pod) (all []decision.Ref) {
	for _, claim := range volume.Claims(s.set, p.ordinal) {
		if !slices.Contains(volume.Lacking(s.set, p.Pod, p.ordinal), claim.Name) {
			all = append(all, claimRef(claim))
		}
	}
	return all
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
	owners := s.owners(p)
	for claim := range s.claimsOf(p) {
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
