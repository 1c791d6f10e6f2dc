package replicaset

import (
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mayAdopt says which orphans a set that is still to be made may adopt: they were left
// by one of the same template, as kubectl delete --cascade=orphan does. It gets the
// hash of that one, if status.collisionCount is the same (getNewReplicaSet of
// deployment/sync.go and ComputeHash of controller_utils.go, v1.37.1).
func (s *sync) mayAdopt() (doubts []string) {
	const label = appsv1.DefaultDeploymentUniqueLabelKey
	if s.set.Labels[label] != view.PredictedHash {
		return nil
	}
	left := map[string][]string{} // names, by hash
	for _, o := range s.r.Orphans(s.podsNeed()) {
		if hash := o.GetLabels()[label]; hash != "" && o.GetDeletionTimestamp() == nil && s.wouldSelect(o) {
			left[hash] = append(left[hash], o.GetName())
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(left)) {
		need := s.podsNeed()
		need.Name = left[hash][0]
		if pod, ok := view.Get[*corev1.Pod](s.r, need); ok && runs(&s.set.Spec.Template.Spec, pod) {
			doubts = append(doubts, fmt.Sprintf("the new ReplicaSet may adopt %s instead, and delete what is then too many; left without a controller, with the images of the template, they have the hash %s, which it may get",
				format.Some(left[hash], len(left[hash])), hash))
		}
	}
	return doubts
}

// wouldSelect reports whether the set would select what has its hash.
func (t *target) wouldSelect(o metav1.Object) bool {
	all := labels.Set(maps.Clone(o.GetLabels()))
	all[appsv1.DefaultDeploymentUniqueLabelKey] = view.PredictedHash
	return t.set.selector.Matches(all)
}

// runs reports whether a Pod has the containers of a template with its images.
func runs(template *corev1.PodSpec, pod *corev1.Pod) bool {
	for _, c := range template.Containers {
		if !slices.ContainsFunc(pod.Spec.Containers, func(o corev1.Container) bool { return o.Name == c.Name && o.Image == c.Image }) {
			return false
		}
	}
	return isActive(pod)
}
