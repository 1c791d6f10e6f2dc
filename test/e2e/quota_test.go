package e2e

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// TestQuota is about creations that a ResourceQuota refuses. Where some are
// accepted, the controller manager is not started anew: its quota controller
// would take stock at the same time, and may count a pod too few.
func TestQuota(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "no room at all", hold: stopped,
			setup:  func(w *world) { w.limit("pods", "0") },
			change: func(w *world) { w.createSet(replicaSet(web, 3)) },
			shows:  []string{"QuotaShortfall", "FailureSet"},
		},
		{
			name: "room for three of seven, in batches of 1, 2 and 4", hold: stopped, plugin: true,
			setup:  func(w *world) { w.limit("pods", "3") },
			change: func(w *world) { w.createSet(replicaSet(web, 7)) },
			shows:  []string{"QuotaShortfall", "CreateUntilRefused", "FailureSet"},
		},
		{
			name: "room in the midst of a batch", hold: stopped,
			setup:  func(w *world) { w.limit("pods", "5") },
			change: func(w *world) { w.createSet(replicaSet(web, 12)) },
			shows:  []string{"QuotaShortfall", "CreateUntilRefused", "FailureSet"},
		},
		{
			name: "of processors", hold: stopped,
			setup:  func(w *world) { w.limit("requests.cpu", "250m") },
			change: func(w *world) { w.createSet(replicaSet(web, 3, requesting("100m"))) },
			shows:  []string{"QuotaShortfall", "CreateUntilRefused", "FailureSet"},
		},
		{
			name: "still refused",
			setup: func(w *world) {
				w.limit("pods", "1")
				w.createSet(replicaSet(web, 2))
				w.waitForFailure()
			},
			change: func(w *world) { w.scale(web, 3) },
			shows:  []string{"QuotaShortfall", "ReplicaFailure", "FailedCreateEvent", "FailureKept"},
		},
		{
			name: "raised",
			setup: func(w *world) {
				w.limit("pods", "1")
				w.createSet(replicaSet(web, 2))
				w.waitForFailure()
			},
			change: func(w *world) { w.raise("pods", "4") },
			shows:  []string{"ReplicaFailure", "FailureCleared", "CreateMissing"},
		},
	})
}

func requesting(cpu string) func(*appsv1.ReplicaSet) {
	return func(set *appsv1.ReplicaSet) {
		set.Spec.Template.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
}
