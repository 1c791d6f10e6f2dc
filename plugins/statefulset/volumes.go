package statefulset

import (
	"iter"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/volume"
)

// volumes are the PersistentVolumeClaims of the namespace by name, as far as metadata
// tell, read once they are needed. Its methods say which are those of a Pod, and whom they
// go with; none changes a claim.
type volumes struct {
	*target
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
//
//go:noinline // it is called at many places
func (v *volumes) stored(name string) metav1.Object {
	v.load()
	return v.byName[name]
}

// load reads them where that was not done.
func (v *volumes) load() {
	if v.read {
		return
	}
	need := v.volumesNeed()
	v.read, v.unread = true, v.r.Err(need) != nil
	type key struct{ namespace string }
	v.byName = view.Derived(v.r.View, key{v.set.Namespace + " claims"}, func() map[string]metav1.Object {
		all := map[string]metav1.Object{}
		for _, m := range v.r.Metadata(need) {
			all[m.GetName()] = m
		}
		return all
	})
}

// hasClaims reports whether Pods have claims of their own, and those were read.
//
//go:noinline // it is called at many places
func (v *volumes) hasClaims() bool {
	if len(v.set.Spec.VolumeClaimTemplates) == 0 {
		return false
	}
	v.load()
	return !v.unread
}

// owners are who may own the claims of a Pod.
func (v *volumes) owners(p *pod) volume.Owners {
	place := p.ordinal - v.first()
	return volume.Owners{
		Set: volume.SetOwner(v.set), Pod: volume.PodOwner(p.Name, p.UID), Policy: volume.PolicyOf(v.set),
		Scaled: place < 0 || place >= int(*v.set.Spec.Replicas),
	}
}

// claimsOf are the claims of a Pod that are in the cache, in the order of their templates.
func (v *volumes) claimsOf(p *pod) iter.Seq[metav1.Object] {
	return func(yield func(metav1.Object) bool) {
		if !v.hasClaims() {
			return
		}
		for i := range v.set.Spec.VolumeClaimTemplates {
			claim := v.stored(volume.ClaimName(v.set, v.set.Spec.VolumeClaimTemplates[i].Name, p.ordinal))
			if claim != nil && !yield(claim) {
				return
			}
		}
	}
}

// goesWith reports whether a volume claim is being deleted, and is removed with a Pod.
func (v *volumes) goesWith(claim metav1.Object, pod string) bool {
	if claim.GetDeletionTimestamp() == nil {
		return false
	}
	user, others := v.keepers(claim, pod)
	return user == "" && len(others) == 0
}

// keepers are what keeps a volume claim that is being deleted: another Pod than one, and
// finalizers besides the one that goes with the last Pod; none of a claim that was not read.
func (v *volumes) keepers(claim metav1.Object, besides string) (user string, others []string) {
	if claim == nil {
		return "", nil
	}
	others = slices.DeleteFunc(slices.Clone(claim.GetFinalizers()), func(f string) bool { return f == view.ClaimProtection })
	return health.ClaimUser(v.r, claim, besides), others
}

// staleClaim mirrors PodClaimIsStale (stateful_pod_control.go, v1.37.1): a claim that goes
// with another Pod of this name, nil for none.
func (v *volumes) staleClaim(p *pod) metav1.Object {
	if !v.behaviour.retention || !volume.PolicyOf(v.set).Scaled {
		return nil
	}
	owner := volume.PodOwner(p.Name, p.UID)
	for claim := range v.claimsOf(p) {
		if owner.Stale(claim.GetOwnerReferences()) {
			return claim
		}
	}
	return nil
}

// before are the Pods of this set, of any ordinal, whose claims refer to an earlier one of the
// same name.
func (v *volumes) before() (pods []decision.Ref) {
	if !v.hasClaims() {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(v.byName)) {
		n, _ := ownership.ClaimOrdinal(v.set, name)
		o := volume.PodOwner(podName(v.set, int(n)), "")
		if pod, there := v.r.Held(view.Pods, v.set.Namespace, o.Name); there {
			o.UID = pod.GetUID()
		}
		if o.Stale(v.byName[name].GetOwnerReferences()) {
			pods = append(pods, decision.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: v.set.Namespace, Name: o.Name, UID: string(o.UID)})
		}
	}
	return pods
}

// collected are the claims that the Pod alone owns once this sync has set their owners: the
// garbage collector deletes them after it.
func (v *volumes) collected(p *pod) (all []decision.Ref) {
	if !v.behaviour.retention {
		return nil
	}
	owners := v.owners(p)
	if len(v.set.Spec.VolumeClaimTemplates) > 0 && !v.hasClaims() && owners.Policy.Scaled {
		return v.assumed(p)
	}
	for claim := range v.claimsOf(p) {
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
func (v *volumes) assumed(p *pod) (all []decision.Ref) {
	for _, claim := range volume.Claims(v.set, p.ordinal) {
		if !slices.Contains(volume.Lacking(v.set, p.Pod, p.ordinal), claim.Name) {
			all = append(all, claimRef(claim))
		}
	}
	return all
}
