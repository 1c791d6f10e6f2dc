package e2e

import (
	"context"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestOrphansAdopted is about objects that their next controller takes.
func TestOrphansAdopted(t *testing.T) {
	runOrphanScenarios(t, []orphanScenario{
		{
			name: "by a ReplicaSet, which then has too many",
			change: withOrphans(2, []pod{{name: "a", node: bare0, ready: day}, {name: "b", node: bare1, ready: hours}},
				pod{name: "orphan", node: bare2, ready: hour}),
			finds: []string{"pod/orphan AdoptOrphan"},
			then:  []string{"replicaset/web then has 3 of 2 and deletes orphan"},
		},
		{
			name: "by a ReplicaSet, which then deletes another pod",
			change: withOrphans(1, []pod{{name: "unready", node: bare0, unready: true}},
				pod{name: "orphan", node: bare1, ready: minutes}),
			then: []string{"replicaset/web then has 2 of 1 and deletes unready"},
		},
		{
			name: "by a ReplicationController, which still misses one",
			change: func(w *world) {
				create(w, replicationController(web, 2))
				w.createPods(pod{name: "orphan", node: bare0, ready: hour})
			},
			then: []string{"replicationcontroller/web then has 1 of 2 and creates 1"},
		},
		{
			name: "a ReplicaSet by a Deployment",
			change: func(w *world) {
				create(w, deploymentOf(web, 2))
				create(w, replicaSet("left", 2, labelled(web), func(set *appsv1.ReplicaSet) { set.Labels = app(web) }))
			},
			finds: []string{"replicaset/left AdoptOrphan"},
			then:  []string{"deployment/web then will adopt 1 ReplicaSet"},
		},
		{
			name: "by a StatefulSet, if the name is one of its own",
			change: func(w *world) {
				set := create(w, statefulSet(web, 2))
				w.createPods(pod{name: "web-1", node: bare0, ready: hour}, pod{name: "web-x", node: bare0, ready: hour})
				stray := pod{name: "stray", node: bare0, ready: hour}.object()
				stray.OwnerReferences = []metav1.OwnerReference{w.refer(set, true)}
				create(w, stray)
			},
			finds: []string{"pod/web-1 AdoptOrphan", "pod/web-x NotMember", "pod/stray NotMember"},
			then:  []string{"statefulset/web then has it as instance 1 until the rolling update replaces it"},
		},
		{
			name: "by a StatefulSet, as one too many",
			change: func(w *world) {
				create(w, statefulSet(web, 0))
				w.createPods(pod{name: "web-3", node: bare0, ready: hour})
			},
			then: []string{"statefulset/web then deletes it: it wants no instance"},
		},
		{
			name: "by a DaemonSet",
			change: func(w *world) {
				create(w, daemonSet(web))
				w.createPods(pod{name: "orphan", node: "node-0"})
			},
			finds: []string{"pod/orphan AdoptOrphan"},
			then:  []string{"daemonset/web then has it on its node"},
		},
		{
			name: "by a Job",
			change: func(w *world) {
				create(w, manualJob(web, 2))
				w.createPods(pod{name: "orphan", node: bare0, ready: hour})
			},
			finds: []string{"pod/orphan AdoptOrphan"},
		},
		{
			name: "not by a Job that is finished or somebody else's",
			change: func(w *world) {
				create(w, manualJob("theirs", 1, func(j *batchv1.Job) { j.Spec.ManagedBy = new("example.com/other") }))
				w.finish(create(w, manualJob("done", 1)))
				w.createPods(pod{name: "a", labels: app("theirs"), node: bare0, ready: hour}, pod{name: "b", labels: app("done"), node: bare0, ready: hour})
			},
			finds: []string{"pod/a ManagedElsewhere", "pod/b FinishedJob"},
		},
		{
			name: "by one of two that both want it",
			change: func(w *world) {
				create(w, replicaSet(web, 1))
				create(w, replicationController(web, 1))
				w.createPods(pod{name: "orphan", node: bare0, ready: hour})
			},
			finds: []string{"pod/orphan FirstSyncWins"},
		},
		{
			name: "not when it ended, is being deleted, or its ReplicaSet is",
			change: func(w *world) {
				create(w, replicaSet(web, 0))
				dying := create(w, replicaSet("dying", 1))
				held := pod{name: "held", owner: dying, labels: app("dying"), node: bare0, ready: hour}
				w.createPods(held, pod{name: "ended", node: bare0, phase: corev1.PodSucceeded},
					pod{name: "leaving", node: bare0, ready: hour, terminating: true}, pod{name: "late", labels: app("dying"), node: bare0, ready: hour})
				w.delete(dying, metav1.DeletePropagationForeground)
			},
			finds: []string{"pod/ended EndedOrphan", "pod/leaving TerminatingOrphan", "pod/late DeletingAdoptsNothing"},
		},
		{
			name: "a revision by a StatefulSet",
			change: func(w *world) {
				create(w, historyOf("web-lost", 7))
				create(w, statefulSet(web, 1))
			},
			finds: []string{"controllerrevision/web-lost AdoptOrphan"},
		},
	})
}

// TestOrphansReleased is about objects whose labels left their controller.
func TestOrphansReleased(t *testing.T) {
	runOrphanScenarios(t, []orphanScenario{
		{
			name:   "by a ReplicaSet, which makes another",
			setup:  func(w *world) { w.settled(3) },
			change: func(w *world) { w.relabel(w.anyPod()) },
			then:   []string{"replicaset/web then has 2 of 3 and creates 1"},
		},
		{
			name: "and adopted by the next",
			change: func(w *world) {
				withOrphans(1, []pod{{name: "a", node: bare0, ready: day}, {name: "mover", labels: app("other"), node: bare1, ready: hour}})(w)
				create(w, replicaSet("other", 1, labelled("other")))
			},
			finds: []string{"pod/mover ReleaseMismatch"},
			then:  []string{"replicaset/other then has 1 of 1"},
		},
		{
			name: "a ReplicaSet by its Deployment",
			setup: func(w *world) {
				create(w, deploymentOf(web, 1))
				w.waitForSets(1)
			},
			change: func(w *world) {
				set := w.onlySet()
				w.patchSet(set, `{"metadata":{"labels":{"app":"debug"}}}`)
			},
		},
		{
			name: "by a DaemonSet and a Job",
			change: func(w *world) {
				ds, job := create(w, daemonSet("agent")), create(w, manualJob("work", 1))
				for name, owner := range map[string]anyObject{"of-ds": ds, "of-job": job} {
					lost := pod{name: name, labels: app("debug"), node: bare0}.object()
					lost.OwnerReferences = []metav1.OwnerReference{w.refer(owner, true)}
					create(w, lost)
				}
			},
			finds: []string{"pod/of-ds ReleaseMismatch", "pod/of-job ReleaseMismatch"},
		},
	})
}

// TestOrphansDangling is about references that lead nowhere.
func TestOrphansDangling(t *testing.T) {
	absent := func(kind, name string) metav1.OwnerReference {
		return metav1.OwnerReference{APIVersion: "apps/v1", Kind: kind, Name: name, UID: "0000", Controller: new(true)}
	}
	runOrphanScenarios(t, []orphanScenario{
		{
			name: "the owner is absent, or another object of its name",
			change: func(w *world) {
				create(w, replicaSet(web, 0))
				w.podOf("absent", absent("ReplicaSet", "gone"))
				w.podOf("replaced", absent("ReplicaSet", web))
			},
			finds: []string{"pod/absent OwnerAbsent", "pod/replaced OwnerReplaced"},
		},
		{
			name: "the owner is in another namespace",
			change: func(w *world) {
				elsewhere := newWorld(w.T, "orphans elsewhere")
				w.podOf("far", w.refer(create(elsewhere, replicaSet(web, 0)), true))
			},
		},
		{
			name: "the owner's kind is not served",
			change: func(w *world) {
				w.podOf("stuck", metav1.OwnerReference{APIVersion: "gone.example.com/v1", Kind: "Thing", Name: "thing", UID: "0000", Controller: new(true)})
			},
			finds: []string{"pod/stuck KindNotServed"},
		},
		{
			name: "one of several owners is gone, and none is a controller",
			change: func(w *world) {
				gone := absent("Deployment", "gone")
				gone.Controller = nil
				w.podOf("half", w.refer(create(w, configMap("keeper")), false), gone)
				w.podOf("whole", w.refer(create(w, configMap("one")), false), w.refer(create(w, configMap("two")), false))
				w.podOf("none", gone)
			},
			finds: []string{"pod/half OwnerAbsent", "pod/whole NoController", "pod/none OwnerAbsent"},
		},
	})
}

// podOf makes a pod on a node that stays, with owners.
func (w *world) podOf(name string, owners ...metav1.OwnerReference) {
	w.Helper()
	obj := pod{name: name, labels: app("nobody"), node: bare0}.object()
	obj.OwnerReferences = owners
	create(w, obj)
}

// TestOrphansNobodys is about objects that stay as they are.
func TestOrphansNobodys(t *testing.T) {
	runOrphanScenarios(t, []orphanScenario{
		{
			name: "missed by a term, released before, or bare",
			change: func(w *world) {
				near := replicaSet(web, 0)
				near.Spec.Selector.MatchLabels, near.Spec.Template.Labels = two("web", "front"), two("web", "front")
				create(w, near)
				w.createPods(pod{name: "miss", labels: two("web", "back"), node: bare0, ready: hour}, pod{name: "bare", labels: app("bare"), node: bare0, ready: hour})
				released := pod{labels: app("debug"), node: bare0}.object()
				released.GenerateName = "web-"
				create(w, released)
			},
			finds: []string{"pod/miss NearMiss", "pod/bare BarePod"},
		},
		{
			name: "what a Deployment left behind",
			setup: func(w *world) {
				d := create(w, deploymentOf(web, 1))
				w.waitForSets(1)
				w.delete(d, metav1.DeletePropagationOrphan)
				w.waitForNo(d)
			},
			change: func(*world) {},
		},
		{
			name: "revisions beyond the history limit",
			setup: func(w *world) {
				set := statefulSet(web, 0)
				set.Spec.RevisionHistoryLimit = new(int32(1))
				create(w, set)
				w.waitFor("the revision in status", func(ctx context.Context) (bool, error) {
					set, err := w.client.AppsV1().StatefulSets(w.namespace).Get(ctx, web, metav1.GetOptions{})
					return err == nil && set.Status.UpdateRevision != "", err
				})
			},
			change: func(w *world) {
				set, err := w.client.AppsV1().StatefulSets(w.namespace).Get(w.Context(), web, metav1.GetOptions{})
				w.check(err)
				for i, name := range []string{"web-old", "web-older"} {
					rev := historyOf(name, 1-i)
					rev.OwnerReferences = []metav1.OwnerReference{w.refer(set, true)}
					create(w, rev)
				}
			},
			finds: []string{"controllerrevision/web-older BeyondHistory"},
		},
	})
}

func two(app, tier string) map[string]string { return map[string]string{"app": app, "tier": tier} }
