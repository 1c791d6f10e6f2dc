package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// peers counts the active related pods on each node, by node name
// (getPodsRankedByRelatedPodsOnSameNode, replica_set.go, v1.37.1). Related are
// the pods that match the selector of a sibling; owners play no part.
func (s *sync) peers() map[string]int {
	onNode := map[string]int{}
	seen := sets.Set[types.UID]{}
	for _, sibling := range s.siblings() {
		pods, err := s.related(sibling)
		if err != nil {
			if s.behaviour.lenientSiblings {
				continue
			}
			return nil
		}
		if len(seen) == 0 {
			seen = make(sets.Set[types.UID], len(pods))
		}
		for _, pod := range pods {
			before := len(seen)
			if seen.Insert(pod.UID); len(seen) > before && isActive(pod) {
				onNode[pod.Spec.NodeName]++
			}
		}
	}
	return onNode
}

// related are the pods that match the selector of a sibling.
func (s *sync) related(sibling *appsv1.ReplicaSet) ([]*corev1.Pod, error) {
	if sibling.Name == s.set.Name {
		return s.claims.matching, nil
	}
	sel, err := metav1.LabelSelectorAsSelector(sibling.Spec.Selector)
	if err != nil {
		return nil, err
	}
	return view.List[*corev1.Pod](s.r, s.podsNeed(), sel), nil
}

// siblings are the sets with the same controller, the target among them
// (getReplicaSetsWithSameController). A set without a controller has none.
func (s *sync) siblings() []*appsv1.ReplicaSet {
	if !s.hasSiblings() {
		return nil
	}
	owner := metav1.GetControllerOfNoCopy(s.set)
	need := view.Need{
		Kind: s.set.kind, Namespace: s.set.Namespace,
		IfMissing: "co-location ranks count the set's own Pods only",
	}
	var all []*appsv1.ReplicaSet
	if s.set.isRC() {
		for _, rc := range view.List[*corev1.ReplicationController](s.r, need, nil) {
			all = append(all, asReplicaSet(rc))
		}
	} else {
		all = view.List[*appsv1.ReplicaSet](s.r, need, nil)
	}
	if s.r.Err(full(need)) != nil {
		return []*appsv1.ReplicaSet{s.set.ReplicaSet}
	}
	return controlledBy(all, owner.UID)
}

// hasSiblings reports whether the controller looks for any.
func (t *target) hasSiblings() bool {
	return metav1.GetControllerOfNoCopy(t.set) != nil && (!t.set.isRC() || !t.behaviour.lenientSiblings)
}

func controlledBy(all []*appsv1.ReplicaSet, owner types.UID) []*appsv1.ReplicaSet {
	var siblings []*appsv1.ReplicaSet
	for _, rs := range all {
		if ref := metav1.GetControllerOfNoCopy(rs); ref != nil && ref.UID == owner {
			siblings = append(siblings, rs)
		}
	}
	return siblings
}
