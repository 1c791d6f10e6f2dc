package states

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The retention policies of claims.
const (
	retain = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
	remove = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
)

func (s *scene) drawSet() *appsv1.StatefulSet {
	set := &appsv1.StatefulSet{}
	set.Name, set.Namespace, set.UID, set.ResourceVersion = Name, Namespace, setUID, "3"
	set.Generation = int64(s.between(1, 4))
	set.CreationTimestamp = ago(100_000)
	set.Annotations = mostly(s.draw, nil, 10, map[string]string{"note": "a"}, map[string]string{})
	set.Labels = mostly(s.draw, nil, 10, map[string]string{"team": "x"})
	set.Spec = appsv1.StatefulSetSpec{
		Replicas: new(s.size()), Selector: s.selector(), Template: s.template(newest),
		PodManagementPolicy:  mostly(s.draw, appsv1.OrderedReadyPodManagement, 40, appsv1.ParallelPodManagement),
		UpdateStrategy:       s.strategy(),
		RevisionHistoryLimit: new(mostly(s.draw, int32(10), 45, 0, 1, 2)),
		MinReadySeconds:      mostly(s.draw, int32(0), 35, 10),
		ServiceName:          mostly(s.draw, "web", 10, ""),
		VolumeClaimTemplates: s.claimTemplates(), PersistentVolumeClaimRetentionPolicy: s.retention(),
	}
	if s.chance(10) || s.stratum == history && s.chance(20) {
		s.tuned(&set.Spec.Template)
	}
	if s.chance(20) {
		set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: int32(s.between(0, 3))}
	}
	deleted := map[stratum]int{strangers: 12, idle: 0}
	if percent, special := deleted[s.stratum]; s.chance(4) && !special || special && s.chance(percent) {
		set.DeletionTimestamp = new(ago(-30))
		set.Finalizers = []string{"foregroundDeletion"}
	}
	return set
}

func (s *scene) selector() *metav1.LabelSelector {
	plain := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	if s.stratum != anything {
		return plain
	}
	bad := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Is"}}}
	wide := &metav1.LabelSelector{
		MatchLabels:      map[string]string{"app": "web"},
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"back"}}},
	}
	return mostly(s.draw, plain, 20, bad, wide, wide, &metav1.LabelSelector{})
}

func (s *scene) strategy() appsv1.StatefulSetUpdateStrategy {
	kinds := []appsv1.StatefulSetUpdateStrategyType{appsv1.OnDeleteStatefulSetStrategyType}
	if s.modelled.AtLeast(37, 0) {
		kinds = append(kinds, "Recreate", "Recreate")
	}
	u := appsv1.StatefulSetUpdateStrategy{Type: mostly(s.draw, appsv1.RollingUpdateStatefulSetStrategyType, 20, kinds...)}
	if u.Type != appsv1.RollingUpdateStatefulSetStrategyType {
		return u
	}
	u.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(mostly(s.draw, int32(0), 35, 1, 1, 2, 3, 4, 9))}
	if s.chance(60) {
		u.RollingUpdate.MaxUnavailable = new(pick(s.draw, intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromInt32(3),
			intstr.FromString("25%"), intstr.FromString("50%"), intstr.FromString("1%"), intstr.FromString("100%")))
	}
	return u
}

func (s *scene) claimTemplates() []corev1.PersistentVolumeClaim {
	n := pick(s.draw, 0, 0, 0, 1, 2)
	if s.stratum == storage {
		n = mostly(s.draw, 1, 40, 2)
	}
	if s.stratum == crowd {
		n = mostly(s.draw, 0, 30, 1)
	}
	var all []corev1.PersistentVolumeClaim
	for _, name := range []string{"data", "logs"}[:n] {
		claim := corev1.PersistentVolumeClaim{}
		claim.Name = name
		claim.Labels = mostly(s.draw, nil, 20, map[string]string{"use": name})
		claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
		claim.Spec.VolumeMode = new(corev1.PersistentVolumeFilesystem)
		claim.Status.Phase = corev1.ClaimPending
		all = append(all, claim)
	}
	return all
}

func (s *scene) retention() *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	policy := func(deleted, scaled appsv1.PersistentVolumeClaimRetentionPolicyType) *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
		return &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: deleted, WhenScaled: scaled}
	}
	percent := 40
	if s.stratum == storage {
		percent = 80
	}
	return mostly(s.draw, policy(retain, retain), percent,
		nil, policy(remove, retain), policy(retain, remove), policy(remove, remove), policy(remove, remove))
}
