package orphans

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// beyondReplicas judges a volume claim that nothing is wrong with: a StatefulSet that was
// scaled down leaves those of its last Pods behind. One that no StatefulSet made is
// settled.
func (f *finder) beyondReplicas(claim metav1.Object) (Finding, bool) {
	for _, set := range f.claiming(claim.GetNamespace()) {
		ordinal, ok := ownership.ClaimOrdinal(set, claim.GetName())
		if !ok {
			continue
		}
		pod := set.Name + "-" + strconv.FormatInt(ordinal, 10)
		if hasOrdinal(set, ordinal) || f.has(set.Namespace, pod) {
			return Finding{}, true
		}
		facts := []decision.Fact{decision.F(keyPod, pod), decision.F(keyController, ownership.RefTo(view.StatefulSets, set).String())}
		if first := firstOrdinal(set); ordinal < first {
			facts = append(facts, decision.At(keyStart, first, "spec.ordinals.start"))
		}
		return Finding{Group: LeftBehind, Ruling: decision.Ruled(BeyondReplicas, facts...)}, false
	}
	return Finding{}, true
}

// claiming are the StatefulSets of a namespace that make volume claims.
func (f *finder) claiming(namespace string) []*appsv1.StatefulSet {
	if f.makers == nil {
		f.makers = map[string][]*appsv1.StatefulSet{}
		need := view.Need{Kind: view.StatefulSets, Namespace: f.Namespace, IfMissing: "volume claims beyond the replicas of a StatefulSet are not shown"}
		for _, set := range view.List[*appsv1.StatefulSet](f.r, need, nil) {
			if len(set.Spec.VolumeClaimTemplates) > 0 {
				f.makers[set.Namespace] = append(f.makers[set.Namespace], set)
			}
		}
	}
	return f.makers[namespace]
}

// hasOrdinal reports whether the StatefulSet wants a Pod of that ordinal.
func hasOrdinal(set *appsv1.StatefulSet, ordinal int64) bool {
	start, replicas := firstOrdinal(set), int64(1)
	if set.Spec.Replicas != nil {
		replicas = int64(*set.Spec.Replicas)
	}
	return ordinal >= start && ordinal < start+replicas
}

func firstOrdinal(set *appsv1.StatefulSet) int64 {
	if set.Spec.Ordinals == nil {
		return 0
	}
	return int64(set.Spec.Ordinals.Start)
}

// has reports whether there is a Pod of that name, or may be: its own, or one that it may adopt.
func (f *finder) has(namespace, name string) bool {
	pods := view.Need{Kind: view.Pods, Namespace: f.Namespace, IfMissing: "volume claims that no Pod uses are not shown"}
	if f.r.Err(pods) != nil {
		return true
	}
	pods.Namespace, pods.Name = namespace, name
	pod, err := f.r.Object(pods)
	return pod != nil || err != nil
}
