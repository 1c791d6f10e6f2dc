package e2e

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// TestOwnersOnDelete deletes what has dependents.
func TestOwnersOnDelete(t *testing.T) {
	deployed := func(w *world) {
		create(w, deploymentOf(web, 2))
		w.waitForSets(1)
	}
	runDeleteScenarios(t, []deleteScenario{
		{name: "a Deployment in the background", setup: deployed, kind: "deploy", object: web, how: lineage.Background},
		{name: "a Deployment in the foreground", setup: deployed, kind: "deploy", object: web, how: lineage.Foreground},
		{name: "a Deployment without its ReplicaSets", setup: deployed, kind: "deploy", object: web, how: lineage.Orphan},
		{name: "a ReplicaSet, which its Deployment makes again", setup: deployed, kind: "rs", how: lineage.Orphan, remade: true},
		{
			name: "a ReplicaSet whose pods another one takes", kind: "rs", object: web, how: lineage.Orphan,
			change: func(w *world) {
				surplus(2, pod{name: "a", node: bare0, ready: hour}, pod{name: "b", node: bare1, ready: hour})(w)
				create(w, replicaSet("heir", 2, labelled(web)))
			},
			tells: []string{"pod/a AdoptedNext", "pod/b AdoptedNext"},
		},
		{
			name: "a ReplicaSet whose pods nobody takes", kind: "rs", object: web, how: lineage.Orphan,
			change: func(w *world) {
				surplus(2, pod{name: "a", node: bare0, ready: hour}, pod{name: "ended", node: bare1, phase: corev1.PodSucceeded})(w)
				create(w, replicaSet("other", 0))
			},
			tells: []string{"pod/a OrphanedFree", "pod/ended OrphanedFree"},
		},
		{
			name: "a ReplicationController in the foreground", kind: "rc", object: web, how: lineage.Foreground,
			change: func(w *world) {
				rc := create(w, replicationController(web, 1))
				w.createPods(pod{name: "a", owner: rc, node: bare0, ready: hour})
			},
			tells: []string{"pod/a Collected"},
		},
		{
			name: "a StatefulSet without its pods and revisions", kind: "sts", object: web, how: lineage.Orphan,
			setup: func(w *world) {
				create(w, statefulSet(web, 1))
				w.waitForRevisions(1)
				w.waitForPods(1)
			},
			tells: []string{"pod/web-0 OrphanedFree"},
		},
		{
			name: "one of two owners", kind: "configmap", object: "one", how: lineage.Background,
			change: func(w *world) {
				one, two := create(w, configMap("one")), create(w, configMap("two"))
				w.podOf("both", w.refer(one, false), w.refer(two, false))
				w.podOf("single", w.refer(one, false))
				secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "theirs", OwnerReferences: []metav1.OwnerReference{w.refer(one, true)}}}
				create(w, secret)
			},
			tells: []string{"pod/both ReferenceDropped", "pod/single Collected", "secret/theirs Collected"},
		},
		{
			name: "an owner of two that depend on each other", kind: "configmap", object: "top", how: lineage.Background,
			change: func(w *world) {
				top := create(w, configMap("top"))
				left := configMap("left")
				left.OwnerReferences = []metav1.OwnerReference{w.refer(top, true)}
				create(w, left)
				right := configMap("right")
				right.OwnerReferences = []metav1.OwnerReference{w.refer(top, false), w.refer(left, false)}
				create(w, right)
			},
			tells: []string{"configmap/left Collected", "configmap/right Collected"},
		},
		{
			name: "an owner whose dependent orphans its own", kind: "configmap", object: "top", how: lineage.Background,
			change: func(w *world) {
				middle := replicaSet(web, 1)
				middle.OwnerReferences = []metav1.OwnerReference{w.refer(create(w, configMap("top")), true)}
				middle.Finalizers = []string{metav1.FinalizerOrphanDependents}
				create(w, middle)
				w.createPods(pod{name: "a", owner: middle, node: bare0, ready: hour})
			},
			tells: []string{"replicaset/web Collected", "pod/a OrphanedFree"},
		},
		{
			name: "a Job in the background", kind: "job", object: web, how: lineage.Background,
			setup: func(w *world) {
				create(w, manualJob(web, 2))
				w.waitForPods(2)
			},
		},
		{
			name: "a DaemonSet without its pods, which another takes", kind: "ds", object: "old", how: lineage.Orphan,
			change: func(w *world) {
				old := daemonSet("old")
				old.Spec.Selector.MatchLabels, old.Spec.Template.Labels = app(web), app(web)
				owner := create(w, old)
				lost := pod{name: "agent", node: "node-0"}.object()
				lost.OwnerReferences = []metav1.OwnerReference{w.refer(owner, true)}
				create(w, lost)
				create(w, daemonSet(web))
			},
			tells: []string{"pod/agent AdoptedNext"},
		},
	})
}

// TestOwnersScope is about a reference that has no place to be looked up in.
func TestOwnersScope(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.hold(t.Context(), killed))
	elsewhere := create(w, replicaSet(web, 0))
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: w.namespace, OwnerReferences: []metav1.OwnerReference{w.refer(elsewhere, true)}}}
	volume.Spec.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
	volume.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	volume.Spec.HostPath = &corev1.HostPathVolumeSource{Path: "/nowhere"}
	_, err := w.client.CoreV1().PersistentVolumes().Create(t.Context(), volume, metav1.CreateOptions{})
	w.check(err)
	g := w.owners("pv/" + volume.Name)
	if len(g.Edges) != 1 || g.Edges[0].Rule != lineage.NamespacedOwner {
		t.Errorf("%s: %+v", g.Answer, g.Edges)
	}
	w.check(env.kcm.release(t.Context()))
	w.canariesSing()
	volume, err = w.client.CoreV1().PersistentVolumes().Get(t.Context(), volume.Name, metav1.GetOptions{})
	w.check(err)
	if volume.DeletionTimestamp != nil || len(volume.OwnerReferences) != 1 {
		t.Errorf("the garbage collector did not leave it alone: %+v", volume.ObjectMeta)
	}
}
