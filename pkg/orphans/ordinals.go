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
		if hasOrdinal(set, ordinal) || f.has(set, pod) {
			return Finding{}, true
		}
		return Finding{Group: LeftBehind, Ruling: decision.Ruled(BeyondReplicas,
			decision.F(keyPod, pod), decision.F(keyController, ownership.RefTo(view.StatefulSets, set).String()))}, false
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
	start, replicas := int64(0), int64(1)
	if set.Spec.Ordinals != nil {
		start = int64(set.Spec.Ordinals.Start)
	}
	if set.Spec.Replicas != nil {
		replicas = int64(*set.Spec.Replicas)
	}
	return ordinal >= start && ordinal < start+replicas
}

// has reports whether a Pod of the StatefulSet has that name, or may have it.
func (f *finder) has(set *appsv1.StatefulSet, name string) bool {
	pods := view.Need{Kind: view.Pods, Namespace: f.Namespace, IfMissing: "volume claims that no Pod uses are not shown"}
	if f.r.Err(pods) != nil {
		return true
	}
	for _, pod := range f.r.ControlledBy(pods, set.UID) {
		if pod.GetName() == name {
			return true
		}
	}
	return false
}
