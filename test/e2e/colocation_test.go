package e2e

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestCoLocation is about the criterion that looks at pods of other sets: of a
// set with a controller, pods beside more related ones go first.
func TestCoLocation(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name:   "a pod beside pods of a set with the same controller is deleted first",
			change: coLocated(true), shows: []string{"CoLocatedFirst"},
		},
		{
			name:   "a set without a controller has no related pods",
			change: coLocated(false), shows: []string{"YoungerReadyFirst"},
		},
	})
}

// coLocated makes a target whose oldest pod shares its node with two pods of
// another set.
func coLocated(controlled bool) func(*world) {
	return func(w *world) {
		var owner metav1.Object
		if controlled {
			owner = w.createRollout()
		}
		set := w.createSet(replicaSet(web, 2, revision("2", owner)))
		other := w.createSet(replicaSet("web-1", 2, revision("1", owner)))
		w.createPods(
			pod{name: "crowded", owner: set, labels: revisionLabels("2"), node: bare0, ready: day},
			pod{name: "alone", owner: set, labels: revisionLabels("2"), node: bare1, ready: minutes},
			pod{name: "apart", owner: set, labels: revisionLabels("2"), node: bare2, ready: hour},
			pod{name: "other-1", owner: other, labels: revisionLabels("1"), node: bare0, ready: hour},
			pod{name: "other-2", owner: other, labels: revisionLabels("1"), node: bare0, ready: hour},
		)
	}
}

// createRollout makes an object that owns sets but has no controller of its own
// that would change them.
func (w *world) createRollout() *corev1.ConfigMap {
	w.Helper()
	rollout, err := w.client.CoreV1().ConfigMaps(w.namespace).Create(w.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "rollout"}}, metav1.CreateOptions{})
	w.check(err)
	return rollout
}

func revisionLabels(revision string) map[string]string {
	return map[string]string{"app": web, "revision": revision}
}

func revision(revision string, owner metav1.Object) func(*appsv1.ReplicaSet) {
	return func(set *appsv1.ReplicaSet) {
		set.Spec.Selector.MatchLabels = revisionLabels(revision)
		set.Spec.Template.Labels = revisionLabels(revision)
		if owner != nil {
			set.OwnerReferences = []metav1.OwnerReference{controllerRef(owner)}
		}
	}
}
