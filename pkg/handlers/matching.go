package handlers

import (
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// matching lists the targets whose selectors match an orphan, by name
// (GetPodReplicaSets of client-go's listers, GetDeploymentsForReplicaSet of
// deployment_util.go, getPodCloneSets of cloneset_event_handler.go). Nobody
// wants an object without labels.
func (h Dependents) matching(c Cluster, obj metav1.Object) []metav1.Object {
	if len(obj.GetLabels()) == 0 {
		return nil
	}
	var found []metav1.Object
	for _, owner := range c.In(h.Owner, obj.GetNamespace()) {
		owner = view.Decoded(owner)
		sel, err := selectorOf(owner)
		if err != nil && h.Strict {
			return nil
		}
		if err == nil && !sel.Empty() && sel.Matches(labels.Set(obj.GetLabels())) {
			found = append(found, owner)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].GetName() < found[j].GetName() })
	return found
}

// selectorOf is the selector of a target's dependents.
func selectorOf(obj metav1.Object) (labels.Selector, error) {
	switch o := obj.(type) {
	case *appsv1.ReplicaSet:
		return metav1.LabelSelectorAsSelector(o.Spec.Selector)
	case *appsv1.Deployment:
		return metav1.LabelSelectorAsSelector(o.Spec.Selector)
	case *appsv1.StatefulSet:
		return metav1.LabelSelectorAsSelector(o.Spec.Selector)
	case *corev1.ReplicationController:
		return labels.SelectorFromSet(o.Spec.Selector), nil
	case *unstructured.Unstructured:
		return untypedSelector(o)
	}
	return labels.Nothing(), nil
}

func untypedSelector(o *unstructured.Unstructured) (labels.Selector, error) {
	fields, found, err := unstructured.NestedMap(o.Object, "spec", "selector")
	if err != nil || !found {
		return labels.Nothing(), err
	}
	var sel metav1.LabelSelector
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &sel); err != nil {
		return nil, err
	}
	return metav1.LabelSelectorAsSelector(&sel)
}

// Name is how sentences name a target: replicaset/web.
func Name(t view.Target) string { return strings.ToLower(t.Kind.Kind) + "/" + t.Name }
