package ownership

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// kruiseAdopters are those of Pods in Kruise. A CloneSet adopts a Pod that
// refers to it without naming it the controller (getOwnedPods and claimPods of
// cloneset_controller.go, claimObject of pkg/util/refmanager, v1.9.1).
var kruiseAdopters = []adopterKind{
	{kind: view.CloneSets, referred: true, each: reading(untypedSelector)},
	{kind: view.AdvancedDaemonSets, each: reading(untypedSelector)},
	{kind: view.AdvancedStatefulSets, named: true, each: reading(untypedSelector)},
}

// hasKruiseOrphan reports whether a Pod without a controller refers to an object
// of Kruise.
func hasKruiseOrphan(r *view.Reader, namespace string) bool {
	return slices.ContainsFunc(r.Orphans(view.Need{Kind: view.Pods, Namespace: namespace}), func(pod metav1.Object) bool {
		return slices.ContainsFunc(pod.GetOwnerReferences(), func(ref metav1.OwnerReference) bool {
			return strings.HasPrefix(ref.APIVersion, view.CloneSets.Group+"/")
		})
	})
}
