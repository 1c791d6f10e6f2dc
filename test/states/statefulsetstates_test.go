package states

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func parallel(unavailable int) func(*appsv1.StatefulSetSpec) {
	return func(spec *appsv1.StatefulSetSpec) {
		spec.PodManagementPolicy = appsv1.ParallelPodManagement
		spec.UpdateStrategy.RollingUpdate.MaxUnavailable = new(intstr.FromInt(unavailable))
	}
}

func keptUpTo(partition int32) func(*appsv1.StatefulSetSpec) {
	return func(spec *appsv1.StatefulSetSpec) { spec.UpdateStrategy.RollingUpdate.Partition = &partition }
}

func onDelete(spec *appsv1.StatefulSetSpec) {
	spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
}

// claimsAre sets the retention policy of claims.
func claimsAre(deleted, scaled appsv1.PersistentVolumeClaimRetentionPolicyType) func(*appsv1.StatefulSetSpec) {
	return func(spec *appsv1.StatefulSetSpec) {
		spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: deleted, WhenScaled: scaled}
	}
}

const deleteClaims, retainClaims = appsv1.DeletePersistentVolumeClaimRetentionPolicyType, appsv1.RetainPersistentVolumeClaimRetentionPolicyType

// statefulSetStates are those of StatefulSets.
var statefulSetStates = []state{
	{
		name: "statefulset-stable", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.done(dbFirst)
		},
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available", planned: "nothing"},
	},
	{
		name: "statefulset-not-observed", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.done(dbFirst)
			s.set.Generation++
		},
		want: want{
			state: decision.StateReconciling, counts: "3 of 3 available", cause: "generation 5 not observed", wait: 1,
			reason: "GenerationNotObserved", object: "statefulset/db",
		},
	},
	{ // kubernetes#67250
		name: "statefulset-broken-revision", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbLast)
			s.run(dbFirst, 5*day, 0, 1)
			waits(s.run(dbBroken, 40*minute, 2)[0], "ImagePullBackOff", notFound("shop/db:16.1"), 40*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "0 of 3 updated, 2 available", cause: "db-2 blocks updates", reason: "OldRevisionBlocksUpdate", object: "pod/db-2", next: "kubectl delete pod db-2 -n shop", said: []string{"delete it, and it is created again of revision db-7c4d8f6b5", "image shop/db:16.1 not found"}, plan: 3, wait: 3},
	},
	{ // kubernetes#137409
		name: "statefulset-max-unavailable", target: "sts/db", version: "1.35.0",
		cluster: func(c *cluster) {
			s := c.db(3, dbLast, parallel(1))
			s.run(dbFirst, 5*day, 0, 1)
			crashes(s.run(dbBroken, 40*minute, 2)[0], 9, 1, "Error", 40*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "0 of 3 updated, 2 available", cause: "db-2 blocks updates", reason: "OldRevisionBlocksUpdate", object: "pod/db-2", next: "kubectl delete pod db-2 -n shop", said: []string{"1 Pod is unavailable, and maxUnavailable is 1"}, plan: 3, wait: 1, waited: "next sync deletes 1 Pod"},
	},
	{
		name: "statefulset-claim-missing", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			c.remove(find[*corev1.PersistentVolumeClaim](c, "data-db-2"))
			unscheduled(s.pods[2], `0/4 nodes are available: persistentvolumeclaim "data-db-2" not found.`+unhelpful, 4*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateReconciling, counts: "2 of 3 available", cause: "next sync creates 1 PVC", reason: "Unschedulable", object: "pod/db-2", said: []string{"data-db-2 certain for db-2"}, plan: 1, planned: "will create 1 PersistentVolumeClaim", wait: 1, mends: true},
	},
	{
		name: "statefulset-claim-terminating", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			claim := find[*corev1.PersistentVolumeClaim](c, "data-db-2")
			claim.DeletionTimestamp, claim.Finalizers = new(ago(20*minute)), append(claim.Finalizers, "example.com/backup")
			unscheduled(s.pods[2], `0/4 nodes are available: persistentvolumeclaim "data-db-2" is being deleted.`+unhelpful, 19*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "2 of 3 available", cause: "PVC data-db-2 is being deleted", reason: "ClaimBeingDeleted", object: "persistentvolumeclaim/data-db-2", next: "kubectl describe pvc data-db-2 -n shop", said: []string{"db-2 can't use it, and a new one is created only when it is gone; finalizers: example.com/backup"}, plan: 3, wait: 3},
	},
	{
		name: "statefulset-claim-own", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			find[*corev1.PersistentVolumeClaim](c, "data-db-2").DeletionTimestamp = new(ago(20 * minute))
			waits(s.pods[2], "ImagePullBackOff", `Back-off pulling image "db:1"`, 19*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "2 of 3 available", cause: "PVC data-db-2 is being deleted", reason: "ClaimBeingDeleted", object: "persistentvolumeclaim/data-db-2", next: "kubectl delete pod db-2 -n shop", said: []string{"delete the Pod, and both are created again, the PVC without its data"}, plan: 3, wait: 3},
	},
	{
		name: "statefulset-claim-used", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			find[*corev1.PersistentVolumeClaim](c, "data-db-2").DeletionTimestamp = new(ago(20 * minute))
			backup := s.pods[2]
			backup.Name, backup.GenerateName, backup.OwnerReferences, backup.Labels = "backup", "", nil, map[string]string{"app": "backup"}
			backup.UID = uidOf("Pod", backup)
			s.pods = s.pods[:2]
			s.done(dbFirst)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 Pods created", cause: "PVC data-db-2 is used by Pod backup", reason: "ClaimBeingDeleted", object: "persistentvolumeclaim/data-db-2",
			next: "kubectl ctrl explain pod/backup -n shop", said: []string{"db-2 is not created before it is gone, and it stays as long as pod/backup uses it"}, plan: 3, wait: 3,
		},
	},
	{
		name: "statefulset-claim-of-another", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst, claimsAre(deleteClaims, retainClaims))
			s.run(dbFirst, 5*day, 0, 1)
			for _, o := range c.objects {
				if claim, ok := o.(*corev1.PersistentVolumeClaim); ok {
					claim.OwnerReferences = []metav1.OwnerReference{s.owner()}
				}
			}
			backup := add(c, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "backup"}}, 9*day)
			find[*corev1.PersistentVolumeClaim](c, "data-db-1").OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(backup, corev1.SchemeGroupVersion.WithKind("ConfigMap"))}
			s.done(dbFirst)
		},
		want: want{state: decision.StateStable, counts: "2 of 2 replicas available", said: []string{"persistentvolumeclaim/data-db-1: it has another controller"}, planned: "nothing"},
	},
	{
		name: "statefulset-partition-reached", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbBroken, keptUpTo(2))
			s.run(dbFirst, 5*day, 0, 1)
			s.run(dbBroken, hour, 2)
			s.done(dbFirst)
		},
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available, 1 updated", cause: "partition 2 is reached", planned: "nothing to do: 3 active, 3 desired; partition 2 keeps 2 Pods"},
	},
	{
		name: "statefulset-on-delete", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbBroken, onDelete)
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.done(dbFirst)
		},
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available, 0 updated", cause: "OnDelete: 3 Pods not updated", next: "kubectl delete pod db-2 -n shop", planned: "nothing to do: 3 active, 3 desired; OnDelete keeps 3 Pods"},
	},
	{
		name: "statefulset-pending", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(5, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			unscheduled(s.run(dbFirst, 12*minute, 3)[0], "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient memory."+unhelpful, 12*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "3 of 5 available", cause: "1 Unschedulable (Insufficient memory)", reason: "Unschedulable", object: "pod/db-3", next: "kubectl describe pod db-3 -n shop", said: []string{"db-3 is not ready: all else waits for it"}, plan: 3, wait: 3},
	},
	{
		name: "statefulset-scale-down", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(4, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2, 3)
			s.done(dbFirst)
		},
		plan: []string{"--replicas", "1"},
		want: want{state: decision.StateStable, counts: "4 of 4 replicas available", plan: 1, planned: "would delete db-3, then db-2, db-1", plans: "when db-3 is gone: db-2, db-1, one by one"},
	},
	{
		name: "statefulset-deletion-denied", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.done(dbFirst)
			c.fromYAML("apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: keep-pods}\n", 5*day)
			c.event(s.set, "StatefulSet", "apps/v1", "FailedDelete", "Delete Pod db-2 in StatefulSet db failed error: pods \"db-2\" is forbidden: ValidatingAdmissionPolicy 'keep-pods' with binding 'keep-pods' denied request: Pod is protected", 20, 25*minute, 20*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 2 available", cause: "deletion denied by a policy", reason: "ValidatingAdmissionPolicy", object: "statefulset/db",
			next: "kubectl describe validatingadmissionpolicy keep-pods", said: []string{"keep-pods"}, plan: 3, planned: "blocked", wait: 3,
		},
	},
	{ // a Pod of that name, which was deleted since
		name: "statefulset-deletion-denied-before", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst)
			s.run(dbFirst, 5*day, 0, 1)
			s.run(dbFirst, 2*minute, 2)
			s.done(dbFirst)
			c.event(s.set, "StatefulSet", "apps/v1", "FailedDelete", "delete Pod db-2 in StatefulSet db failed error: "+protected, 20, 25*minute, 5*minute)
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 2 available", cause: "next sync deletes 1 Pod", plan: 1, planned: "delete db-2", wait: 1, never: []string{"denied"},
		},
	},
	{ // OnDelete, and not OrderedReady, is why nothing replaces it
		name: "statefulset-on-delete-broken", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbLast, onDelete)
			s.run(dbFirst, 5*day, 0, 1)
			waits(s.run(dbBroken, 40*minute, 2)[0], "ImagePullBackOff", notFound("shop/db:16.1"), 40*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "2 of 3 available", cause: "OnDelete: db-2 not updated", reason: "OnDeleteKeeps", object: "pod/db-2", next: "kubectl delete pod db-2 -n shop", said: []string{"OnDelete updates no Pod: delete db-2, and it is created again of revision " + dbLast, "image shop/db:16.1 not found"}, plan: 3, wait: 3},
	},
	{ // none of the Pods before the first ordinal is one of the three
		name: "statefulset-start-moved", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst, func(spec *appsv1.StatefulSetSpec) { spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 2} })
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.done(dbFirst)
		},
		want: want{state: decision.StateReconciling, counts: "1 of 3 available", cause: "next sync creates 1 PVC and 1 Pod", plan: 1, planned: "3 active (2 beyond the ordinals), 3 desired", wait: 1},
	},
	{
		name: "statefulset-scale-down-waits", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(1, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2, 3)
			crashes(s.pods[1], 11, 137, "OOMKilled", 50*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateReconciling, counts: "1 of 1 available", cause: "next sync deletes 1 Pod", reason: "OOMKilled", object: "pod/db-1", plan: 1, planned: "will delete db-3, then db-2, db-1", wait: 1},
	},
	{
		name: "statefulset-claims-scaled", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst, claimsAre(retainClaims, deleteClaims))
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.done(dbFirst)
		},
		want: want{state: decision.StateReconciling, counts: "2 of 2 available", cause: "next sync deletes 1 Pod, modifies 1 PVC", said: []string{"for db-2: owned by pod/db-2 (whenDeleted Retain, whenScaled Delete)"}, plan: 1, planned: "will delete db-2 with 1 PersistentVolumeClaim, modify 1 PersistentVolumeClaim", wait: 1},
	},
	{
		name: "statefulset-claims-scaled-by-two", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(1, dbFirst, claimsAre(retainClaims, deleteClaims))
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.done(dbFirst)
		},
		want: want{
			state: decision.StateReconciling, counts: "1 of 1 available", cause: "next sync deletes 1 Pod, modifies 2 PVCs", plan: 1, planned: "then db-1 (total 2 Pods, 2 PersistentVolumeClaims)", wait: 1,
			said:  []string{"when db-2 is gone: db-1, one by one (OrderedReady); the garbage collector also deletes data-db-1"},
			plans: "when db-2 is gone: db-1, one by one (OrderedReady); the garbage collector also deletes data-db-1",
		},
	},
	{
		name: "statefulset-claims-of-before", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1)
			s.claim(2)
			s.done(dbFirst)
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 3 available", cause: "next sync creates 1 Pod", plan: 1, planned: "will create db-2", wait: 1,
			said: []string{"ordinal 2 is missing; revision " + dbFirst + " (update); mounts the existing data-db-2"},
		},
	},
	{
		name: "statefulset-claims-replaced", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst)
			s.run(dbFirst, 5*day, 0, 1)
			for _, o := range c.objects {
				if claim, ok := o.(*corev1.PersistentVolumeClaim); ok {
					before := s.owner()
					before.UID, before.Controller = "5e0c7f0e-0000-4b1d-a000-1f0d6c2b9a11", nil
					claim.OwnerReferences = []metav1.OwnerReference{before}
				}
			}
			s.done(dbFirst)
		},
		want: want{
			state: decision.StateStable, counts: "2 of 2 replicas available", cause: "the garbage collector deletes 2 PVCs", planned: "nothing",
			next: "kubectl ctrl owners statefulset/db --dependents -n shop", loose: []string{"data-db-0", "data-db-1"},
			said: []string{"persistentvolumeclaim/data-db-0, persistentvolumeclaim/data-db-1: the ownerReference names statefulset/db with another UID, so that the garbage collector deletes 2 PersistentVolumeClaims, each once no Pod uses it"},
		},
	},
	{
		name: "statefulset-claims-deleted", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst, claimsAre(deleteClaims, retainClaims))
			s.run(dbFirst, 5*day, 0, 1)
			for _, o := range c.objects {
				if claim, ok := o.(*corev1.PersistentVolumeClaim); ok {
					claim.OwnerReferences = []metav1.OwnerReference{s.owner()}
				}
			}
			s.set.DeletionTimestamp, s.set.Finalizers = new(ago(10*time.Second)), []string{metav1.FinalizerDeleteDependents}
			s.done(dbFirst)
		},
		want: want{state: decision.StateTerminating, cause: "2 not deleted yet", reason: "NotDeleted", object: "pod/db-0", next: "kubectl describe pod db-0 -n shop", wait: 2},
	},
	{
		name: "statefulset-claim-stale", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst, claimsAre(retainClaims, deleteClaims))
			s.run(dbFirst, 5*day, 0)
			s.claim(1, metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: "db-1", UID: "6f0c1f7e-0000-4000-8000-000000000001", Controller: new(true)})
			s.done(dbFirst)
		},
		want: want{state: decision.StateProgressing, counts: "1 of 2 Pods created", cause: "PVC data-db-1 belongs to an earlier Pod", reason: "StaleClaim", object: "persistentvolumeclaim/data-db-1", next: "kubectl describe pvc data-db-1 -n shop", wait: 1, loose: []string{"data-db-1"}},
	},
	{
		name: "statefulset-orphan", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			s.pods[1].OwnerReferences = nil
			s.done(dbFirst)
		},
		want: want{state: decision.StateReconciling, counts: "2 of 3 available", cause: "next sync adopts 1 Pod", plan: 1, planned: "adopt db-1", wait: 1, loose: []string{"db-1"}},
	},
	{
		name: "statefulset-evicted", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1, 2)
			p := s.pods[1]
			p.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on resource: memory.", StartTime: p.Status.StartTime, QOSClass: p.Status.QOSClass}
			s.done(dbFirst)
		},
		want: want{state: decision.StateReconciling, counts: "2 of 3 available", cause: "next sync deletes 1 Pod", said: []string{"it is Failed (Evicted)"}, plan: 1, planned: "will delete db-1", wait: 1},
	},
	{
		name: "statefulset-terminating", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbBroken)
			s.run(dbFirst, 5*day, 0, 1)
			c.lost(find[*corev1.Node](c, "n3"), 30*minute)
			p := s.run(dbFirst, 5*day, 2)[0]
			deleted(p, 25*minute)
			set(p, corev1.PodReady, corev1.ConditionFalse, "NodeNotReady", "", 30*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "0 of 3 updated, 2 available", cause: "1 Terminating on NotReady node n3", reason: "Terminating", object: "pod/db-2", next: "kubectl describe node n3", said: []string{"db-2 is being deleted: its ordinal is filled when it is gone", "node.kubernetes.io/out-of-service", "risks two running Pods of one identity"}, plan: 3, wait: 3},
	},
	{ // the Pod garbage collector deletes it by force
		name: "statefulset-terminating-out-of-service", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1)
			n := find[*corev1.Node](c, "n3")
			c.lost(n, 30*minute)
			n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute})
			deleted(s.run(dbFirst, 5*day, 2)[0], 25*minute)
			s.done(dbFirst)
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 3 available", cause: "db-2 Terminating on out-of-service node n3", reason: "Terminating", object: "pod/db-2", next: "kubectl describe node n3",
			said: []string{"the Pod garbage collector deletes the Pod by force within 20s"}, never: []string{"its name is free"}, wait: 1, mends: true,
		},
	},
	{ // the Pod beyond the ordinals does not make up for it
		name: "statefulset-terminating-below", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 5*day, 0, 1)
			c.lost(find[*corev1.Node](c, "n3"), 30*minute)
			deleted(s.run(dbFirst, 5*day, 2)[0], 25*minute)
			s.run(dbFirst, 5*day, 3)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 Terminating on NotReady node n3", reason: "Terminating", object: "pod/db-2", next: "kubectl describe node n3", said: []string{"db-2 is being deleted: its ordinal is filled when it is gone"}, plan: 3, wait: 3},
	},
	{
		name: "statefulset-terminating-beyond", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst)
			s.run(dbFirst, 5*day, 0, 1)
			c.lost(find[*corev1.Node](c, "n3"), 30*minute)
			deleted(s.run(dbFirst, 5*day, 2)[0], 25*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateStable, counts: "2 of 2 replicas available", cause: "1 Terminating on NotReady node n3", reason: "Terminating", object: "pod/db-2", next: "kubectl describe node n3", said: []string{"being deleted for 25m: node n3 is NotReady for 30m"}, planned: "1 Terminating on NotReady node n3."},
	},
	{
		name: "statefulset-terminating-beyond-update", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbBroken)
			s.run(dbFirst, 5*day, 0, 1)
			c.lost(find[*corev1.Node](c, "n3"), 30*minute)
			deleted(s.run(dbFirst, 5*day, 2)[0], 25*minute)
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "0 of 2 updated", cause: "1 Terminating on NotReady node n3", reason: "Terminating", object: "pod/db-2", next: "kubectl describe node n3", plan: 3, wait: 3},
	},
	{
		name: "statefulset-name-in-use", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(2, dbFirst)
			s.run(dbFirst, 5*day, 0)
			p := s.run(dbFirst, 5*day, 1)[0]
			p.Labels, p.OwnerReferences = map[string]string{"app": "debug"}, nil
			s.done(dbFirst)
		},
		want: want{state: decision.StateBlocked, counts: "1 of 2 Pods created", cause: "another Pod has the name db-1", reason: "NameInUse", object: "pod/db-1", next: "kubectl get pod db-1 -n shop --show-labels", plan: 3, wait: 3, loose: []string{"db-1"}},
	},
	{
		name: "statefulset-min-ready", target: "sts/db",
		cluster: func(c *cluster) {
			s := c.db(3, dbBroken, func(spec *appsv1.StatefulSetSpec) { spec.MinReadySeconds = 120 })
			s.run(dbFirst, 5*day, 0, 1)
			s.run(dbBroken, 50*time.Second, 2)
			s.done(dbFirst)
		},
		want: want{state: decision.StateProgressing, counts: "1 of 3 updated, 2 available", cause: "db-2 waiting for minReadySeconds", reason: "MinReadySeconds", object: "pod/db-2", wait: 1},
	},
}
