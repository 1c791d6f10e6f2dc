package statefulset

import (
	"cmp"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podtemplate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// kinds are the kinds that this plugin decides.
var kinds = []view.Kind{view.StatefulSets}

// load reads the target. What it returns is the sync's own copy. Errors: what kept it
// from being read, and an object that no API server stores.
func load(r *view.Reader, t view.Target) (*appsv1.StatefulSet, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	set, found := view.Get[*appsv1.StatefulSet](r, need)
	if err := r.Err(need); err != nil {
		return nil, err
	}
	if !found {
		return nil, &view.NotFound{Target: t}
	}
	set = withDefaults(set.DeepCopy())
	return set, check(ownership.RefTo(t.Kind, set), set)
}

// withDefaults sets what the API server always sets and files may lack
// (pkg/apis/apps/v1/defaults.go SetDefaults_StatefulSet, v1.37.1).
func withDefaults(set *appsv1.StatefulSet) *appsv1.StatefulSet {
	s := &set.Spec
	if s.PodManagementPolicy == "" {
		s.PodManagementPolicy = appsv1.OrderedReadyPodManagement
	}
	if s.UpdateStrategy.Type == "" {
		s.UpdateStrategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
	}
	if s.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && s.UpdateStrategy.RollingUpdate == nil {
		s.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
	}
	if u := s.UpdateStrategy.RollingUpdate; u != nil && u.Partition == nil {
		u.Partition = new(int32(0))
	}
	if s.Replicas == nil {
		s.Replicas = new(int32(1))
	}
	if s.RevisionHistoryLimit == nil {
		s.RevisionHistoryLimit = new(int32(10))
	}
	return set
}

// complete fills a changed StatefulSet as the API server does, where the one before is.
func complete(obj, old metav1.Object) {
	set, ok := obj.(*appsv1.StatefulSet)
	before, changes := old.(*appsv1.StatefulSet)
	if !ok || !changes {
		return
	}
	if equality.Semantic.DeepEqual(withDefaults(before.DeepCopy()).Spec, before.Spec) {
		withDefaults(set)
	}
	if before.Spec.PersistentVolumeClaimRetentionPolicy != nil {
		set.Spec.PersistentVolumeClaimRetentionPolicy = retained(set.Spec.PersistentVolumeClaimRetentionPolicy)
	}
	podtemplate.Complete(&set.Spec.Template, &before.Spec.Template)
	for i := range min(len(set.Spec.VolumeClaimTemplates), len(before.Spec.VolumeClaimTemplates)) {
		completeClaim(&set.Spec.VolumeClaimTemplates[i], &before.Spec.VolumeClaimTemplates[i])
	}
}

// completeClaim fills a claim template as the API server does, where the one before is
// (SetDefaults_PersistentVolumeClaim, pkg/apis/core/v1/defaults.go, v1.37.1).
func completeClaim(c, before *corev1.PersistentVolumeClaim) {
	if c.TypeMeta == (metav1.TypeMeta{}) {
		c.TypeMeta = before.TypeMeta
	}
	if c.Status.Phase == "" {
		c.Status.Phase = before.Status.Phase
	}
	if c.Spec.VolumeMode == nil && before.Spec.VolumeMode != nil {
		c.Spec.VolumeMode = new(corev1.PersistentVolumeFilesystem)
	}
}

// retained is a policy of claims with its defaults.
func retained(p *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy) *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	keep := appsv1.RetainPersistentVolumeClaimRetentionPolicyType
	if p == nil {
		return &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: keep, WhenScaled: keep}
	}
	return &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: cmp.Or(p.WhenDeleted, keep), WhenScaled: cmp.Or(p.WhenScaled, keep)}
}

// check refuses what no API server stores (pkg/apis/apps/validation ValidateStatefulSetSpec,
// v1.37.1).
func check(ref decision.Ref, set *appsv1.StatefulSet) error {
	u := set.Spec.UpdateStrategy.RollingUpdate
	if u == nil {
		u = &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(0))}
	}
	start := int32(0)
	if set.Spec.Ordinals != nil {
		start = set.Spec.Ordinals.Start
	}
	for _, field := range []struct {
		path string
		n    int32
	}{{"spec.replicas", *set.Spec.Replicas}, {"spec.updateStrategy.rollingUpdate.partition", *u.Partition}, {"spec.ordinals.start", start}, {"spec.minReadySeconds", set.Spec.MinReadySeconds}} {
		if err := decision.NotNegative(ref, field.path, field.n); err != nil {
			return err
		}
	}
	if err := checkMaxUnavailable(ref, u.MaxUnavailable); err != nil {
		return err
	}
	kept := retained(set.Spec.PersistentVolumeClaimRetentionPolicy)
	for _, field := range []struct {
		path   string
		policy appsv1.PersistentVolumeClaimRetentionPolicyType
	}{{"whenDeleted", kept.WhenDeleted}, {"whenScaled", kept.WhenScaled}} {
		if field.policy != appsv1.RetainPersistentVolumeClaimRetentionPolicyType && field.policy != appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
			return undecidable(ref, "spec.persistentVolumeClaimRetentionPolicy.%s: %q is neither Retain nor Delete", field.path, field.policy)
		}
	}
	return nil
}

// checkMaxUnavailable mirrors validateRollingUpdateStatefulSet (same file).
func checkMaxUnavailable(ref decision.Ref, m *intstr.IntOrString) error {
	const path = "spec.updateStrategy.rollingUpdate.maxUnavailable"
	if m == nil {
		return nil
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(m, 100, false)
	switch {
	case err != nil:
		return undecidable(ref, path+": %v: want a number or a percentage", err)
	case n <= 0:
		return undecidable(ref, path+": %s: want more than 0", m)
	case m.Type == intstr.String && n > 100:
		return undecidable(ref, path+": %s: want no more than 100%%", m)
	}
	return nil
}

func undecidable(ref decision.Ref, text string, args ...any) error {
	return &decision.Undecidable{Err: fmt.Errorf("%s: "+text, append([]any{ref.Qualified()}, args...)...)}
}

// partition is how many ordinals, counted from 0, are not updated.
//
//go:noinline
func partition(set *appsv1.StatefulSet) int {
	if u := set.Spec.UpdateStrategy.RollingUpdate; u != nil {
		return int(*u.Partition)
	}
	return 0
}

// reference is that of the Pods to their controller.
func reference(set *appsv1.StatefulSet) metav1.OwnerReference {
	return *metav1.NewControllerRef(set, view.StatefulSets.GroupVersionKind)
}
