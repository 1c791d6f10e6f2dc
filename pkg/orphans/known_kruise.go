package orphans

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// ofKruise: Kruise's DaemonSet and StatefulSet place pods as the built-in ones do
// (podsShouldBeOnNode of daemonset_controller.go, updateStatefulSet of
// stateful_set_control.go, v1.9.1).
func ofKruise(o *unstructured.Unstructured, pod metav1.Object, m move) decision.Ruling {
	switch o.GetKind() {
	case view.AdvancedDaemonSets.Kind:
		return ofDaemonSet(m)
	case view.AdvancedStatefulSets.Kind:
		if set, ok := builtIn(o, pod); ok {
			return ofStatefulSet(set, pod, m)
		}
	}
	return decision.Ruling{}
}

// builtIn is the built-in StatefulSet that treats a pod as Kruise's does. There
// is none where ordinals are reserved. A paused update replaces nothing, and
// whether an update in place does is not looked at.
func builtIn(o *unstructured.Unstructured, pod metav1.Object) (*appsv1.StatefulSet, bool) {
	if reserved, _, _ := unstructured.NestedSlice(o.Object, "spec", "reserveOrdinals"); len(reserved) > 0 {
		return nil, false
	}
	set := &appsv1.StatefulSet{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, set); err != nil {
		return nil, false
	}
	rolling := []string{"spec", "updateStrategy", "rollingUpdate"}
	paused, _, _ := unstructured.NestedBool(o.Object, append(rolling, "paused")...)
	policy, _, _ := unstructured.NestedString(o.Object, append(rolling, "podUpdatePolicy")...)
	inPlace := policy != "" && policy != "ReCreate" && pod.GetLabels()[appsv1.StatefulSetRevisionLabel] != ""
	if paused || inPlace {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{}
	}
	return set, true
}
