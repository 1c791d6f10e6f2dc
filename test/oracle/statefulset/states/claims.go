package states

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	appsv1 "k8s.io/api/apps/v1"
)

// drawClaims draws those of the ordinals of the set and of its Pods.
func (s *scene) drawClaims(pods []*corev1.Pod) []*corev1.PersistentVolumeClaim {
	uids := map[int]types.UID{}
	for ordinal := s.start(); ordinal < s.start()+int(*s.set.Spec.Replicas); ordinal++ {
		uids[ordinal] = "uid-none"
	}
	for _, pod := range pods {
		if ordinal, err := strconv.Atoi(strings.TrimPrefix(pod.Name, Name+"-")); err == nil {
			uids[ordinal] = pod.UID
		}
	}
	missing := pick(s.draw, 0, 0, 10, 60)
	var all []*corev1.PersistentVolumeClaim
	for _, t := range s.set.Spec.VolumeClaimTemplates {
		for ordinal := range s.start() + int(*s.set.Spec.Replicas) + 4 {
			if uid, there := uids[ordinal]; there && !s.chance(missing) {
				all = append(all, s.claim(t.Name, ordinal, uid))
			}
		}
	}
	return all
}

func (s *scene) claim(template string, ordinal int, pod types.UID) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Name, claim.Namespace = s.claimName(template, ordinal), Namespace
	claim.UID, claim.ResourceVersion = types.UID("uid-"+claim.Name), "4"
	claim.Labels = map[string]string{"app": "web"}
	claim.Status.Phase = corev1.ClaimBound
	claim.OwnerReferences = s.claimOwners(ordinal, pod)
	percent := 1
	if s.stratum == storage {
		percent = 6
	}
	if s.chance(percent) {
		claim.DeletionTimestamp = new(ago(5))
		claim.Finalizers = []string{"kubernetes.io/pvc-protection"}
	}
	return claim
}

// claimOwners are mostly as the retention policy wants them.
func (s *scene) claimOwners(ordinal int, pod types.UID) []metav1.OwnerReference {
	percent := 8
	if s.stratum == storage {
		percent = 45
	}
	if !s.chance(percent) {
		return s.rightOwners(ordinal, pod)
	}
	set := reference("apps/v1", "StatefulSet", Name, setUID)
	ours := reference("v1", "Pod", Name+"-"+strconv.Itoa(ordinal), pod)
	staleSet, stalePod := set, ours
	staleSet.UID, stalePod.UID = "uid-old", "uid-old-pod"
	loose, loosePod := set, ours
	loose.Controller, loosePod.Controller = nil, new(false)
	other, weak := reference("v1", "ConfigMap", "keeper", "uid-keeper"), reference("v1", "ConfigMap", "keeper", "uid-keeper")
	weak.Controller = nil
	return pick(s.draw, nil, []metav1.OwnerReference{set}, []metav1.OwnerReference{ours}, []metav1.OwnerReference{set, ours},
		[]metav1.OwnerReference{staleSet}, []metav1.OwnerReference{stalePod}, []metav1.OwnerReference{loose}, []metav1.OwnerReference{loosePod},
		[]metav1.OwnerReference{other}, []metav1.OwnerReference{other, loose}, []metav1.OwnerReference{weak, set}, []metav1.OwnerReference{weak},
		[]metav1.OwnerReference{other, ours})
}

// rightOwners are those that the policy asks for.
func (s *scene) rightOwners(ordinal int, pod types.UID) []metav1.OwnerReference {
	policy := s.set.Spec.PersistentVolumeClaimRetentionPolicy
	if policy == nil {
		return nil
	}
	within := ordinal >= s.start() && ordinal < s.start()+int(*s.set.Spec.Replicas)
	switch {
	case policy.WhenScaled == remove && !within:
		return []metav1.OwnerReference{reference("v1", "Pod", Name+"-"+strconv.Itoa(ordinal), pod)}
	case policy.WhenDeleted == remove:
		return []metav1.OwnerReference{*metav1.NewControllerRef(s.set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
	}
	return nil
}

func reference(version, kind, name string, uid types.UID) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: uid, Controller: new(true), BlockOwnerDeletion: new(true)}
}
