package orphans

import (
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const claimsNotShown = "volume claims that no Pod uses are not shown"

// beyondReplicas judges a volume claim that nothing is wrong with: a StatefulSet that was
// scaled down leaves those of its last Pods behind, and one that was deleted leaves all.
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
	if f.withoutSet(claim) {
		return f.leftBy(maker{kinds: []view.Kind{view.StatefulSets}}, view.ControllerRevisions, ClaimOfNoSet), false
	}
	return Finding{}, true
}

// withoutSet reports whether a volume claim seems to be of a StatefulSet that is gone. It has
// no owner, its name ends in that of a Pod with an ordinal, whose set does not exist, it has
// labels, as those of the set's selector are put on it, none of which says that it is of
// another controller, and no Pod uses it. No field says who created it.
func (f *finder) withoutSet(claim metav1.Object) bool {
	cut := strings.LastIndexByte(claim.GetName(), '-')
	if _, ordinal := ownership.Ordinal(claim.GetName()[cut+1:]); cut < 0 || !ordinal || len(claim.GetLabels()) == 0 || len(claim.GetOwnerReferences()) > 0 || claim.GetDeletionTimestamp() != nil {
		return false
	}
	sets := f.claimantsOf(view.ControllerRevisions)
	if claim.GetLabels()[instanceID] != "" {
		return false
	}
	_, set, named := strings.Cut(claim.GetName()[:cut], "-")
	for rest, more := set, named; more; _, rest, more = strings.Cut(rest, "-") {
		if len(sets.Named(claim.GetNamespace(), rest)) > 0 {
			return false
		}
	}
	return named && f.forbiddenClaimers(view.ControllerRevisions) == "" && !f.mounted(claim)
}

// mounted reports whether a Pod uses a volume claim, or may. Volumes are no metadata: the
// Pods of its namespace are read whole, once there is a claim to ask for.
func (f *finder) mounted(claim metav1.Object) bool {
	namespace := claim.GetNamespace()
	pods := view.Need{Kind: view.Pods, Namespace: namespace, Detail: view.Full, IfMissing: claimsNotShown}
	if f.r.Err(pods) != nil {
		return true
	}
	used, read := f.mounts[namespace]
	if !read {
		used = map[string]bool{}
		for _, pod := range view.List[*corev1.Pod](f.r, pods, nil) {
			for _, name := range view.ClaimsOf(pod) {
				used[name] = true
			}
		}
		f.mounts[namespace] = used
	}
	return used[claim.GetName()]
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
	pods := view.Need{Kind: view.Pods, Namespace: f.Namespace, IfMissing: claimsNotShown}
	if f.r.Err(pods) != nil {
		return true
	}
	pods.Namespace, pods.Name = namespace, name
	pod, err := f.r.Object(pods)
	return pod != nil || err != nil
}
