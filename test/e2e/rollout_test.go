package e2e

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestRollout goes through whole rollouts.
func TestRollout(t *testing.T) {
	runRolloutScenarios(t, []rolloutScenario{
		{
			name:       "one more at a time",
			deployment: deploymentOf(web, 3, runs, steps("1", "0")),
			change:     image("main:2"),
			shows:      []string{"CreateNewSet", "ScaleOldDown", "SurgeUsedUp"},
			steps:      4,
		},
		{
			name:       "one less at a time",
			deployment: deploymentOf(web, 3, runs, steps("0", "1")),
			change:     image("main:2"),
			shows:      []string{"CreateNewSet", "NewPodsNotAvailable", "SurgeUsedUp"},
			steps:      3,
		},
		{
			name:       "percentages, which round up and down",
			deployment: deploymentOf(web, 5, runs, steps("25%", "25%")),
			change:     image("main:2"),
			steps:      3,
		},
		{
			name:       "all at once",
			deployment: deploymentOf(web, 2, runs, steps("100%", "100%")),
			change:     image("main:2"),
			steps:      1,
		},
		{
			name:       "recreate",
			deployment: deploymentOf(web, 3, runs, recreates),
			change:     image("main:2"),
			shows:      []string{"RecreateDown", "OldSetReportsPods"},
			steps:      2,
		},
		{
			name:       "back to the template before, whose ReplicaSet is still there",
			deployment: deploymentOf(web, 2, runs, steps("1", "0")),
			setup: func(w *world) {
				image("main:2")(w)
				w.waitForRollout(false)
			},
			change: func(w *world) { w.kubectl("rollout", "undo", "deploy/"+web) },
			shows:  []string{"SyncNewSet"},
			steps:  2,
		},
		{
			name: "the history limit drops the oldest ReplicaSet",
			deployment: deploymentOf(web, 1, runs, steps("1", "0"), func(d *appsv1.Deployment) {
				d.Spec.RevisionHistoryLimit = new(int32(1))
			}),
			setup: func(w *world) {
				image("main:2")(w)
				w.waitForRollout(false)
			},
			change: func(w *world) { w.oldRevision("older") },
			shows:  []string{"DropRevision"},
			steps:  1,
		},
	})
}

// TestRolloutHeld is about Deployments that something keeps from rolling out.
func TestRolloutHeld(t *testing.T) {
	runRolloutScenarios(t, []rolloutScenario{
		{
			name:       "scaled in the middle of a rollout, in proportion",
			deployment: deploymentOf(web, 4, runs, steps("2", "1")),
			setup:      stuck,
			change:     func(w *world) { w.kubectl("scale", "deploy/"+web, "--replicas", "8") },
			shows:      []string{"ScalingEvent", "ScaleInProportion"},
			steps:      1, unready: true,
		},
		{
			name:       "scaled down in the middle of a rollout",
			deployment: deploymentOf(web, 6, runs, steps("2", "1")),
			setup:      stuck,
			change:     func(w *world) { w.kubectl("scale", "deploy/"+web, "--replicas", "2") },
			shows:      []string{"ScalingEvent"},
			steps:      1, unready: true,
		},
		{
			name:       "paused: a new template waits",
			deployment: deploymentOf(web, 2, runs),
			change: func(w *world) {
				w.kubectl("rollout", "pause", "deploy/"+web)
				image("main:2")(w)
			},
			shows: []string{"DeploymentPaused"},
		},
		{
			name:       "paused: the size follows all the same",
			deployment: deploymentOf(web, 2, runs),
			change: func(w *world) {
				w.kubectl("rollout", "pause", "deploy/"+web)
				w.kubectl("scale", "deploy/"+web, "--replicas", "4")
			},
			shows: []string{"DeploymentPaused"},
			steps: 1,
		},
		{
			name: "the progress deadline passes",
			deployment: deploymentOf(web, 2, func(d *appsv1.Deployment) {
				d.Spec.ProgressDeadlineSeconds = new(int32(2))
			}),
			change: func(w *world) { w.deadline() }, unready: true,
		},
		{
			name:       "being deleted",
			deployment: deploymentOf(web, 2, runs),
			change: func(w *world) {
				w.patchDeployment(`{"metadata":{"finalizers":["example.com/held"]}}`)
				w.kubectl("delete", "deploy", web, "--cascade=orphan", "--wait=false")
				w.Cleanup(w.unheld)
				image("main:2")(w)
			},
			shows: []string{"DeploymentDeleting"},
		},
	})
}

// TestRolloutClaims is about ReplicaSets that join and leave a Deployment.
func TestRolloutClaims(t *testing.T) {
	runRolloutScenarios(t, []rolloutScenario{
		{
			name:       "an orphan with an old template is adopted and scaled down",
			deployment: deploymentOf(web, 2, runs),
			change: func(w *world) {
				create(w, replicaSet("left", 2, labelled(web), func(set *appsv1.ReplicaSet) { set.Labels = app(web) }))
			},
			shows: []string{"AdoptOrphan"}, steps: 1, unready: true,
		},
		{
			name:       "its own ReplicaSet is relabelled, released, and made again",
			deployment: deploymentOf(web, 2, runs, steps("1", "0")),
			change: func(w *world) {
				w.patchSet(w.onlySet(), `{"metadata":{"labels":{"app":"debug"}}}`)
			},
			shows: []string{"ReleaseMismatch"}, steps: 1, unready: true,
		},
	})
}

// image sets the image of the template.
func image(name string) func(*world) {
	return func(w *world) {
		w.patchDeployment(fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"main","image":%q}]}}}}`, name))
	}
}

func (w *world) patchDeployment(patch string) {
	w.Helper()
	_, err := w.client.AppsV1().Deployments(w.namespace).Patch(w.Context(), web, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	w.check(err)
}

// unheld lets a Deployment go that a finalizer held, after the test.
func (w *world) unheld() {
	ctx := context.WithoutCancel(w.Context())
	_, err := w.client.AppsV1().Deployments(w.namespace).Patch(ctx, web, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err != nil {
		w.Error(err)
	}
}

// oldRevision makes a ReplicaSet of the Deployment that has had its day.
func (w *world) oldRevision(name string) {
	w.Helper()
	d, err := w.client.AppsV1().Deployments(w.namespace).Get(w.Context(), web, metav1.GetOptions{})
	w.check(err)
	set := replicaSet(name, 0, labelled(web), func(set *appsv1.ReplicaSet) {
		set.Labels, set.OwnerReferences = app(web), []metav1.OwnerReference{w.refer(d, true)}
		set.Annotations = map[string]string{"deployment.kubernetes.io/revision": "0"}
		set.Spec.Template.Spec.Containers[0].Image = "main:0"
	})
	create(w, set)
	set.Status.ObservedGeneration = set.Generation
	_, err = w.client.AppsV1().ReplicaSets(w.namespace).UpdateStatus(w.Context(), set, metav1.UpdateOptions{})
	w.check(err)
}

// stuck starts a rollout whose new pods find no node, and waits until it can
// go no further.
func stuck(w *world) {
	w.Helper()
	w.patchDeployment(fmt.Sprintf(`{"spec":{"template":{"spec":{"schedulerName":%q}}}}`, nobody))
	w.waitForHalt()
}
