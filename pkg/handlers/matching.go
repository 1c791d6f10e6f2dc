package handlers

import (
	"sort"
	"strings"

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
		sel, err := h.selectorOf(owner)
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

// selectorOf is the selector of a target's dependents: spec.selector, where the kind has no
// Go type.
func (h Dependents) selectorOf(owner metav1.Object) (labels.Selector, error) {
	if o, untyped := owner.(*unstructured.Unstructured); untyped || h.Selector == nil {
		return untypedSelector(o)
	}
	return h.Selector(owner)
}

func untypedSelector(o *unstructured.Unstructured) (labels.Selector, error) {
	if o == nil {
		return labels.Nothing(), nil
	}
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
