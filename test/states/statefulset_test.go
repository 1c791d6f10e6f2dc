package states

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The revisions of statefulset/db, in their order.
const dbFirst, dbBroken, dbLast = "db-5f6b8d9c7", "db-6b9f7d5c8", "db-7c4d8f6b5"

var dbImages = map[string]string{dbFirst: "shop/db:16", dbBroken: "shop/db:16.1", dbLast: "shop/db:17"}

// db is statefulset/db, with a volume claim for each Pod.
type db struct {
	*cluster
	set  *appsv1.StatefulSet
	pods []*corev1.Pod
}

func dbTemplate(revision string) corev1.PodTemplateSpec { return template("db", dbImages[revision]) }

// db makes one that is updated to a revision; the revisions before are there as well.
func (c *cluster) db(replicas int32, update string, edits ...func(*appsv1.StatefulSetSpec)) *db {
	spec := appsv1.StatefulSetSpec{
		Replicas: &replicas, ServiceName: "db", Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}},
		Template: dbTemplate(update), PodManagementPolicy: appsv1.OrderedReadyPodManagement, RevisionHistoryLimit: new(int32(10)),
		UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
			Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(0))},
		},
		PersistentVolumeClaimRetentionPolicy: &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: appsv1.RetainPersistentVolumeClaimRetentionPolicyType, WhenScaled: appsv1.RetainPersistentVolumeClaimRetentionPolicyType,
		},
		VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}, Spec: claimSpec()}},
	}
	for _, edit := range edits {
		edit(&spec)
	}
	s := &db{cluster: c, set: add(c, &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db", Generation: 4, Labels: map[string]string{"app": "db"}}, Spec: spec,
	}, 21*day)}
	for i, revision := range []string{dbFirst, dbBroken, dbLast} {
		s.revision(revision, int64(i+1))
		if revision == update {
			break
		}
	}
	return s
}

func claimSpec() corev1.PersistentVolumeClaimSpec {
	return corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")}},
		VolumeMode:  new(corev1.PersistentVolumeFilesystem), StorageClassName: new("standard"),
	}
}

func (s *db) owner() metav1.OwnerReference {
	return *metav1.NewControllerRef(s.set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))
}

func (s *db) revision(name string, number int64) {
	fields := plain(dbTemplate(name))
	fields["$patch"] = "replace"
	text, err := json.Marshal(map[string]any{"spec": map[string]any{"template": fields}})
	if err != nil {
		panic(err)
	}
	add(s.cluster, &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: name, Labels: map[string]string{"app": "db", "controller.kubernetes.io/hash": name[3:]},
			OwnerReferences: []metav1.OwnerReference{s.owner()},
		},
		Revision: number, Data: runtime.RawExtension{Raw: text},
	}, 21*day)
}

// run adds ready Pods of these ordinals, with their claims.
func (s *db) run(revision string, age time.Duration, ordinals ...int) []*corev1.Pod {
	var all []*corev1.Pod
	for _, n := range ordinals {
		name := fmt.Sprintf("db-%d", n)
		p := newPod("shop", name, dbTemplate(revision).Spec)
		p.Name, p.GenerateName, p.Generation = name, "db-", 1
		p.Labels = map[string]string{
			"app": "db", appsv1.StatefulSetPodNameLabel: name, appsv1.PodIndexLabel: fmt.Sprint(n), appsv1.ControllerRevisionHashLabelKey: revision,
		}
		p.OwnerReferences = []metav1.OwnerReference{s.owner()}
		p.Spec.Hostname, p.Spec.Subdomain = name, "db"
		p.Spec.Volumes = append([]corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + name},
		}}}, p.Spec.Volumes...)
		runs(p, fmt.Sprintf("n%d", n%3+1), age-5*time.Second)
		s.pods, all = append(s.pods, p), append(all, add(s.cluster, p, age))
		s.claim(n)
	}
	return all
}

// claim adds the claim of an ordinal.
func (s *db) claim(ordinal int, owners ...metav1.OwnerReference) *corev1.PersistentVolumeClaim {
	return add(s.cluster, &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: fmt.Sprintf("data-db-%d", ordinal), Labels: map[string]string{"app": "db"},
			Finalizers: []string{"kubernetes.io/pvc-protection"}, OwnerReferences: owners,
		},
		Spec: claimSpec(), Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}},
	}, 21*day)
}

// done writes the status of the StatefulSet, which comes from one revision.
func (s *db) done(current string) {
	update := slices.Sorted(maps.Keys(dbImages))[len(s.ownRevisions())-1]
	st := appsv1.StatefulSetStatus{ObservedGeneration: s.set.Generation, CurrentRevision: current, UpdateRevision: update, CollisionCount: new(int32(0))}
	for _, p := range s.pods {
		if !metav1.IsControlledBy(p, s.set) {
			continue
		}
		st.Replicas++
		if readyPod(p) && p.Status.Phase == corev1.PodRunning {
			st.ReadyReplicas++
		}
		if availablePod(p, s.set.Spec.MinReadySeconds) {
			st.AvailableReplicas++
		}
		if p.DeletionTimestamp != nil {
			continue
		}
		if p.Labels[appsv1.ControllerRevisionHashLabelKey] == current {
			st.CurrentReplicas++
		}
		if p.Labels[appsv1.ControllerRevisionHashLabelKey] == update {
			st.UpdatedReplicas++
		}
	}
	s.set.Status = st
}

func (s *db) ownRevisions() (all []*appsv1.ControllerRevision) {
	for _, o := range s.objects {
		if cr, ok := o.(*appsv1.ControllerRevision); ok {
			all = append(all, cr)
		}
	}
	return all
}

// notFound is the message of a kubelet that finds no image.
func notFound(image string) string {
	return fmt.Sprintf("Back-off pulling image %q: ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image %[1]q: not found", image)
}
