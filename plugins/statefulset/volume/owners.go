package volume

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Owner is a StatefulSet or a Pod as an owner of claims.
type Owner struct {
	APIVersion, Kind, Name string
	UID                    types.UID
}

// SetOwner is a StatefulSet as an owner.
func SetOwner(set *appsv1.StatefulSet) Owner {
	return Owner{"apps/v1", "StatefulSet", set.Name, set.UID}
}

// PodOwner is a Pod as an owner. A Pod that is still to be created has no UID.
func PodOwner(name string, uid types.UID) Owner {
	return Owner{"v1", "Pod", name, uid}
}

func (o Owner) named(ref *metav1.OwnerReference) bool {
	return ref.Name == o.Name && ref.Kind == o.Kind && ref.APIVersion == o.APIVersion
}

// owns mirrors hasOwnerRef (stateful_set_utils.go, v1.37.1): by UID.
func (o Owner) owns(refs []metav1.OwnerReference) bool {
	return slices.ContainsFunc(refs, func(ref metav1.OwnerReference) bool { return ref.UID == o.UID })
}

// Stale mirrors hasStaleOwnerRef (same file): the first reference that names the owner
// has another UID.
//
//go:noinline // it is called at many places
func (o Owner) Stale(refs []metav1.OwnerReference) bool {
	i := slices.IndexFunc(refs, func(ref metav1.OwnerReference) bool { return o.named(&ref) })
	return i >= 0 && refs[i].UID != o.UID
}

func (o Owner) reference() metav1.OwnerReference {
	return *metav1.NewControllerRef(&metav1.ObjectMeta{Name: o.Name, UID: o.UID}, schema.FromAPIVersionAndKind(o.APIVersion, o.Kind))
}

// Policy is when claims are deleted: with the StatefulSet, and when it is scaled down.
type Policy struct{ Deleted, Scaled bool }

// PolicyOf mirrors getPersistentVolumeClaimRetentionPolicy (same file). The API server
// stores no other values than Retain and Delete.
func PolicyOf(set *appsv1.StatefulSet) Policy {
	p := set.Spec.PersistentVolumeClaimRetentionPolicy
	if p == nil {
		return Policy{}
	}
	return Policy{p.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType, p.WhenScaled == appsv1.DeletePersistentVolumeClaimRetentionPolicyType}
}

// Owners are who may own the claims of a Pod, and by which policy.
type Owners struct {
	Set, Pod Owner
	Policy   Policy
	// Scaled: the Pod is beyond the ordinals of the set.
	Scaled bool
}

// Unexpected mirrors hasUnexpectedController (same file): the claim has a controller
// besides the set and the Pod, or a reference to either with another UID.
func (o Owners) Unexpected(refs []metav1.OwnerReference) bool {
	if o.Policy == (Policy{}) {
		return false
	}
	return slices.ContainsFunc(refs, func(ref metav1.OwnerReference) bool {
		switch {
		case o.Set.named(&ref):
			return ref.UID != o.Set.UID
		case o.Pod.named(&ref):
			return ref.UID != o.Pod.UID
		}
		return ref.Controller != nil && *ref.Controller
	})
}

// plain mirrors hasNonControllerOwner (same file): the set or the Pod is an owner and
// not the controller.
func (o Owners) plain(refs []metav1.OwnerReference) bool {
	return slices.ContainsFunc(refs, func(ref metav1.OwnerReference) bool {
		ours := ref.UID == o.Set.UID || ref.UID == o.Pod.UID
		return ours && (ref.Controller == nil || !*ref.Controller)
	})
}

// Kept mirrors isClaimOwnerUpToDate (same file): the references are left as they are.
func (o Owners) Kept(refs []metav1.OwnerReference) bool {
	set, pod := o.Set.owns(refs), o.Pod.owns(refs)
	switch {
	case o.Set.Stale(refs) || o.Pod.Stale(refs):
		return true
	case o.Unexpected(refs):
		return !set && !pod
	case o.plain(refs):
		return false
	}
	wantSet, wantPod := o.wants()
	return set == wantSet && pod == wantPod
}

// wants reports which of both own the claims by the policy.
func (o Owners) wants() (set, pod bool) {
	pod = o.Policy.Scaled && o.Scaled
	return o.Policy.Deleted && !pod, pod
}

// Next mirrors updateClaimOwnerRefForSetAndPod (same file): the references that the claim
// has then.
func (o Owners) Next(refs []metav1.OwnerReference) []metav1.OwnerReference {
	unexpected := o.Unexpected(refs)
	next := slices.DeleteFunc(slices.Clone(refs), func(ref metav1.OwnerReference) bool { return o.Set.named(&ref) || o.Pod.named(&ref) })
	if unexpected {
		return next
	}
	wantSet, wantPod := o.wants()
	if wantSet && !o.Set.owns(next) {
		next = append(next, o.Set.reference())
	}
	if wantPod && !o.Pod.owns(next) {
		next = append(next, o.Pod.reference())
	}
	return next
}
