package e2e

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestDeletion is about targets, and namespaces, that are on their way out.
func TestDeletion(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "in the foreground: the pods are left to the garbage collector", hold: uncollected, plugin: true,
			change: deleting(metav1.DeletePropagationForeground, 3, pod{name: "a", node: bare0, ready: hour}),
			shows:  []string{"SetDeleting"},
		},
		{
			name: "orphaning: the pods stay", hold: uncollected,
			change: deleting(metav1.DeletePropagationOrphan, 0, pod{name: "a", node: bare0, ready: hour}),
			shows:  []string{"SetDeleting"},
			after:  checkOrphaned,
		},
		{
			name: "no pod is released or adopted any more", hold: uncollected,
			change: func(w *world) {
				deleting(metav1.DeletePropagationForeground, 1, pod{name: "lost", labels: app("other"), node: bare0, ready: hour})(w)
				w.createPods(pod{name: "orphan", node: bare0, ready: hour})
			},
			shows: []string{"DeletingKeeps", "DeletingAdoptsNothing"},
		},
		{
			name: "a terminating namespace refuses pods",
			change: func(w *world) {
				surplus(3, pod{name: "a", node: bare0, ready: hour})(w)
				w.check(w.client.CoreV1().Namespaces().Delete(w.Context(), w.namespace, metav1.DeleteOptions{}))
			},
			shows: []string{"NamespaceTerminating"},
		},
	})
}

func deleting(how metav1.DeletionPropagation, replicas int32, pods ...pod) func(*world) {
	return func(w *world) {
		surplus(replicas, pods...)(w)
		w.deleteSet(web, how)
	}
}

func checkOrphaned(w *world, _ *decision.Decision, _ observed) {
	w.Helper()
	w.check(env.kcm.release(w.Context())) // with the garbage collector
	w.waitForNoSet(web)
	w.waitFor("the pod to lose its owner", func(context.Context) (bool, error) {
		pods := w.pods()
		return len(pods) == 1 && pods[0].OwnerReferences == nil && pods[0].Status.Phase == corev1.PodRunning, nil
	})
}
