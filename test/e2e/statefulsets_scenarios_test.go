package e2e

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var statefulSets = slices.Concat(scaling, updating, claiming, keeping, asking)

var parallel = edit(func(spec *appsv1.StatefulSetSpec) { spec.PodManagementPolicy = appsv1.ParallelPodManagement })

// scaling is about Pods that are missing or too many.
var scaling = []ordinals{
	{name: "the first Pod", replicas: 3, shows: []string{"CreateOrdinal"}},
	{name: "the next Pod", replicas: 3, has: "new new", shows: []string{"CreateOrdinal"}},
	{name: "all at once", replicas: 4, has: "new", edits: parallel, shows: []string{"CreateOrdinal"}},
	{name: "a hundred at once", replicas: 100, edits: parallel},
	{name: "a gap is filled before the end", replicas: 4, has: "new - new"},
	{name: "waits for a pending Pod", replicas: 3, has: "new:pending", shows: []string{"WaitReady"}},
	{name: "waits for a Pod that is not ready", replicas: 3, has: "new new:unready", shows: []string{"WaitReady"}},
	{name: "waits for minReadySeconds", replicas: 3, has: "new:young", edits: edit(func(spec *appsv1.StatefulSetSpec) { spec.MinReadySeconds = 3600 }), shows: []string{"WaitAvailable"}},
	{name: "does not wait in Parallel", replicas: 3, has: "new:unready", edits: parallel},
	{name: "a failed Pod is deleted", replicas: 3, has: "new new:failed new", shows: []string{"DeleteFinished"}},
	{name: "a completed Pod is deleted", replicas: 2, has: "new:succeeded new", shows: []string{"DeleteFinished"}},
	{name: "failed Pods are deleted in Parallel", replicas: 3, has: "new:failed new new:failed", edits: parallel},
	{name: "a terminating Pod holds its ordinal", replicas: 3, has: "new new:terminating", shows: []string{"WaitGone"}},
	{name: "a terminating Pod holds no other in Parallel", replicas: 3, has: "new:terminating", edits: parallel},
	{name: "one Pod too many", replicas: 2, has: "new new new", shows: []string{"DeleteBeyond"}},
	{name: "several too many, the highest first", replicas: 1, has: "new new new new", shows: []string{"DeleteBeyond"}},
	{name: "several too many in Parallel", replicas: 1, has: "new new new new", edits: parallel},
	{name: "scaled to zero", replicas: 0, has: "new new"},
	{name: "scaled down while a lower Pod is not ready", replicas: 2, has: "new new:unready new", shows: []string{"WaitReady"}},
	{name: "scaled down to the Pod that is not ready", replicas: 1, has: "new new:unready", shows: []string{"DeleteBeyond"}},
	{name: "scaled down while a higher Pod terminates", replicas: 1, has: "new new new:terminating"},
	{name: "the first ordinal is not 0", replicas: 2, edits: edit(func(spec *appsv1.StatefulSetSpec) { spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 5} })},
	{name: "the first ordinal was raised", replicas: 2, has: "new new new", edits: edit(func(spec *appsv1.StatefulSetSpec) { spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 1} })},
}

// updating is about Pods of another revision.
var updating = []ordinals{
	{name: "the highest Pod is updated first", replicas: 3, has: "old old old", shows: []string{"DeleteForUpdate"}},
	{name: "an update goes on", replicas: 3, has: "old old new", shows: []string{"DeleteForUpdate"}},
	{name: "an update waits for the updated Pod", replicas: 3, has: "old old new:unready"},
	{name: "an update waits for the Pod that terminates", replicas: 3, has: "old old old:terminating"},
	{name: "a Pod that never became ready blocks its update", replicas: 2, has: "old:unready", shows: []string{"WaitReady"}},
	{name: "the update completes", replicas: 2, has: "new new", current: "old"},
	{name: "a partition", replicas: 3, has: "old old old", edits: rolling(2), shows: []string{"DeleteForUpdate"}},
	{name: "a partition is reached", replicas: 3, has: "old old new", edits: rolling(2), shows: []string{"PartitionKeeps"}},
	{name: "a partition above all ordinals", replicas: 2, has: "old old", edits: rolling(9), shows: []string{"PartitionKeeps"}},
	{name: "a Pod below the partition comes back as it was", replicas: 3, has: "old - new", edits: rolling(2), shows: []string{"CreateOrdinal"}},
	{name: "a Pod above the partition comes back updated", replicas: 3, has: "old old -", edits: rolling(2)},
	{name: "two at a time", replicas: 4, has: "old old old old", edits: rolling(0, unavailable("2"))},
	{name: "half of them at a time", replicas: 4, has: "old old old new", edits: rolling(0, unavailable("50%"))},
	{name: "updated in Parallel", replicas: 3, has: "old old old", edits: parallel},
	{name: "broken Pods of Parallel are updated", replicas: 3, has: "old old:unready old", edits: parallel},
	{name: "OnDelete keeps old Pods", replicas: 2, has: "old old", edits: onDelete, shows: []string{"OnDeleteKeeps"}},
	{name: "OnDelete makes new Pods of the new revision", replicas: 2, has: "old -", edits: onDelete, shows: []string{"CreateOrdinal"}},
	{name: "a new template", replicas: 2, has: "new new", more: imageOf("main:3"), shows: []string{"RevisionNewTemplate"}},
	{name: "back to the template before", replicas: 2, has: "new new", current: "new", more: imageOf("main:old"), shows: []string{"RevisionOlderTemplate"}},
	{name: "a third revision", replicas: 2, has: "new new", current: "old", more: imageOf("main:3"), shows: []string{"StatusBelowZero"}},
	{name: "the history has a limit", replicas: 1, has: "new", current: "new", shows: []string{"RevisionTruncated"},
		edits: edit(func(spec *appsv1.StatefulSetSpec) { spec.RevisionHistoryLimit = new(int32(0)) })},
}

// claiming is about volume claims.
var claiming = []ordinals{
	{name: "a Pod with its claim", replicas: 1, edits: claimed("", ""), shows: []string{"CreateClaim"}},
	{name: "all claims in Parallel", replicas: 3, edits: slices.Concat(claimed("", ""), parallel)},
	{name: "a pending Pod gets the claim that is missing", replicas: 1, has: "new:pending", edits: claimed("", ""), shows: []string{"CreateClaim"}},
	{name: "claims that exist are used", replicas: 1, edits: claimed("", ""), more: func(w *world, set *appsv1.StatefulSet) { w.claimFor(set, 0) }},
	{name: "claims belong to the set that deletes them", replicas: 1, has: "new", edits: claimed("Delete", ""),
		more: func(w *world, set *appsv1.StatefulSet) { w.claimFor(set, 0) }, shows: []string{"OwnClaim"}},
	{name: "claims are kept again", replicas: 1, has: "new", edits: claimed("Retain", "Retain"),
		more: func(w *world, set *appsv1.StatefulSet) { w.claimFor(set, 0, w.refer(set, true)) }, shows: []string{"OwnClaim"}},
	{name: "a claim is to be deleted with a Pod beyond", replicas: 1, has: "new new", edits: claimed("", "Delete"),
		more: func(w *world, set *appsv1.StatefulSet) { w.claimFor(set, 0); w.claimFor(set, 1) }, shows: []string{"OwnClaim"}},
	{name: "a claim of a Pod before blocks the Pod", replicas: 1, edits: claimed("", "Delete"), shows: []string{"StaleClaim"},
		more: func(w *world, set *appsv1.StatefulSet) {
			ref := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: "web-0", UID: "gone", Controller: new(true)}
			w.claimFor(set, 0, ref)
		}},
	{name: "a claim of something else is left alone", replicas: 1, has: "new", edits: claimed("Delete", ""),
		more: func(w *world, set *appsv1.StatefulSet) {
			w.claimFor(set, 0, w.refer(create(w, configMap("keeper")), true))
		}},
	{name: "a claim that is being deleted blocks the Pod", replicas: 1, edits: claimed("", ""), shows: []string{"ClaimBeingDeleted"},
		more: func(w *world, set *appsv1.StatefulSet) {
			w.claimFor(set, 0)
			_, err := w.client.CoreV1().PersistentVolumeClaims(w.namespace).Patch(w.Context(), "data-web-0", types.MergePatchType,
				[]byte(`{"metadata":{"finalizers":["example.com/held"]}}`), metav1.PatchOptions{})
			w.check(err)
			w.check(w.client.CoreV1().PersistentVolumeClaims(w.namespace).Delete(w.Context(), "data-web-0", metav1.DeleteOptions{}))
		}},
}

// keeping is about which Pods are the set's.
var keeping = []ordinals{
	{name: "an orphan is adopted", replicas: 2, has: "new new:orphan"},
	{name: "a relabelled Pod is released", replicas: 2, has: "new new:relabelled"},
	{name: "a label is put back", replicas: 2, has: "new:nameless new", shows: []string{"PodConforms"}},
	{name: "a name is in use", replicas: 2, has: "new", shows: []string{"NameInUse"},
		more: func(w *world, _ *appsv1.StatefulSet) { w.createPod(pod{name: "web-1", labels: app("other")}) }},
	{name: "being deleted", replicas: 2, has: "new", shows: []string{"SetDeleting"},
		more: func(w *world, _ *appsv1.StatefulSet) {
			_, err := w.client.AppsV1().StatefulSets(w.namespace).Patch(w.Context(), web, types.MergePatchType,
				[]byte(`{"metadata":{"finalizers":["example.com/held"]}}`), metav1.PatchOptions{})
			w.check(err)
			w.kubectl("delete", "sts", web, "--cascade=orphan", "--wait=false")
		}},
	{name: "nothing to do", replicas: 2, has: "new new"},
}

// asking is about what-ifs.
var asking = []ordinals{
	{name: "what if it were scaled up", replicas: 1, has: "new", flags: []string{"--replicas", "2"},
		then: func(w *world) { w.kubectl("scale", "sts/"+web, "--replicas", "2") }},
	{name: "what if it were scaled down", replicas: 3, has: "new new new", flags: []string{"--replicas", "2"},
		then: func(w *world) { w.kubectl("scale", "sts/"+web, "--replicas", "2") }},
	{name: "what if it had another image", replicas: 2, has: "new new", flags: []string{"--image", "main=main:4"},
		then: func(w *world) { imageOf("main:4")(w, nil) }},
}

var onDelete = edit(func(spec *appsv1.StatefulSetSpec) { spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType })

func unavailable(most string) func(*appsv1.StatefulSetSpec) {
	return func(spec *appsv1.StatefulSetSpec) {
		spec.UpdateStrategy.RollingUpdate.MaxUnavailable = new(intstr.Parse(most))
	}
}

func imageOf(name string) func(*world, *appsv1.StatefulSet) {
	return func(w *world, _ *appsv1.StatefulSet) {
		patch := fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"main","image":%q}]}}}}`, name)
		_, err := w.client.AppsV1().StatefulSets(w.namespace).Patch(w.Context(), web, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		w.check(err)
	}
}

// claimed gives each Pod a claim, with these policies of retention, "" for none.
func claimed(whenDeleted, whenScaled appsv1.PersistentVolumeClaimRetentionPolicyType) []func(*appsv1.StatefulSet) {
	return edit(func(spec *appsv1.StatefulSetSpec) {
		claim := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data"}}
		claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
		spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{claim}
		if whenDeleted+whenScaled != "" {
			spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: whenDeleted, WhenScaled: whenScaled}
		}
	})
}
