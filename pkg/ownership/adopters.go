package ownership

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Adopter is an object whose controller adopts orphan pods by selector.
type Adopter struct {
	Ref      decision.Ref
	selector labels.Selector
	// named narrows what it adopts beyond the selector: a StatefulSet takes
	// only pods that bear its name and an ordinal.
	named func(pod metav1.Object) bool
}

// Adopts tells whether the adopter would take the orphan pod.
func (a Adopter) Adopts(pod metav1.Object) bool {
	return a.selector.Matches(labels.Set(pod.GetLabels())) && (a.named == nil || a.named(pod))
}

// Adopters lists what may adopt pods of a namespace besides the object with
// UID except. Objects being deleted adopt nothing and are left out.
func Adopters(r *view.Reader, namespace string, except types.UID) []Adopter {
	without := "whether another controller would adopt the same pod is not known"
	need := func(k view.Kind) view.Need {
		return view.Need{Kind: k, Namespace: namespace, Without: without}
	}
	var all []Adopter
	add := func(k view.Kind, obj metav1.Object, sel *metav1.LabelSelector, named func(metav1.Object) bool) {
		if s, ok := selectorOf(sel); ok && obj.GetUID() != except && obj.GetDeletionTimestamp() == nil {
			all = append(all, Adopter{RefTo(k, obj), s, named})
		}
	}
	for _, o := range view.List[*appsv1.ReplicaSet](r, need(view.ReplicaSets), nil) {
		add(view.ReplicaSets, o, o.Spec.Selector, nil)
	}
	for _, o := range view.List[*corev1.ReplicationController](r, need(view.ReplicationControllers), nil) {
		add(view.ReplicationControllers, o, &metav1.LabelSelector{MatchLabels: o.Spec.Selector}, nil)
	}
	for _, o := range view.List[*appsv1.DaemonSet](r, need(view.DaemonSets), nil) {
		add(view.DaemonSets, o, o.Spec.Selector, nil)
	}
	for _, o := range view.List[*appsv1.StatefulSet](r, need(view.StatefulSets), nil) {
		add(view.StatefulSets, o, o.Spec.Selector, func(pod metav1.Object) bool { return isOrdinalOf(pod.GetName(), o.Name) })
	}
	for _, o := range view.List[*batchv1.Job](r, need(view.Jobs), nil) {
		add(view.Jobs, o, o.Spec.Selector, nil)
	}
	return all
}

// RefTo names obj, which is of kind k.
func RefTo(k view.Kind, obj metav1.Object) decision.Ref {
	return decision.Ref{
		APIVersion: k.GroupVersion().String(), Kind: k.Kind,
		Namespace: obj.GetNamespace(), Name: obj.GetName(), UID: string(obj.GetUID()),
	}
}

// selectorOf drops selectors that select nothing, everything or are invalid:
// controllers look for the owner of an orphan among non-empty ones only.
func selectorOf(sel *metav1.LabelSelector) (labels.Selector, bool) {
	s, err := metav1.LabelSelectorAsSelector(sel)
	if err != nil || s.Empty() {
		return nil, false
	}
	return s, true
}

// isOrdinalOf mirrors getParentNameAndOrdinal of
// pkg/controller/statefulset/stateful_set_utils.go (v1.37.1).
func isOrdinalOf(pod, set string) bool {
	ordinal, ok := strings.CutPrefix(pod, set+"-")
	return ok && ordinal != "" && strings.Trim(ordinal, "0123456789") == ""
}
