package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// untyped reads the selector and template that all workloads of Kruise have,
// where other ones have theirs. Its DaemonSet claims as the built-in one does
// (pkg/controller/daemonset, v1.9.1).
func untyped(o *unstructured.Unstructured) (*Controller, bool) {
	template, _, _ := unstructured.NestedStringMap(o.Object, "spec", "template", "metadata", "labels")
	sel := untypedSelector(o)
	if sel == nil {
		return nil, false
	}
	return NewController(sel, template)
}

// untypedSelector is nil for a selector that does not parse.
func untypedSelector(o *unstructured.Unstructured) *metav1.LabelSelector {
	spec, _, _ := unstructured.NestedMap(o.Object, "spec", "selector") // another form is invalid below
	sel := &metav1.LabelSelector{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(spec, sel); err != nil {
		return nil
	}
	return sel
}

// cloneSet claims only pods that refer to it already (claimPods of
// cloneset_controller.go, v1.9.1), and only active ones, by Kruise's ref manager.
func cloneSet(o *unstructured.Unstructured) (*Controller, bool) {
	c, ok := untyped(o)
	if ok {
		c.NeverAdopts, c.ActiveOnly, c.Updates = true, true, true
	}
	return c, ok
}

// cloneSetRevisions uses revisions without a controller and adopts none.
func cloneSetRevisions(o *unstructured.Unstructured) (*Controller, bool) {
	c, ok := untyped(o)
	if ok {
		c.NeverAdopts, c.NeverReleases = true, true
	}
	return c, ok
}

// advancedStatefulSet claims pods of its name, as the built-in one does
// (pkg/controller/statefulset).
func advancedStatefulSet(o *unstructured.Unstructured) (*Controller, bool) {
	c, ok := untyped(o)
	if ok {
		c.Member = func(pod metav1.Object) bool { return isOrdinalOf(pod.GetName(), o.GetName()) }
	}
	return c, ok
}

// advancedStatefulSetRevisions claims revisions as the built-in one does
// (adoptOrphanRevisions of pkg/controller/statefulset/statefulset_controller.go, v1.9.1).
func advancedStatefulSetRevisions(o *unstructured.Unstructured) (*Controller, bool) {
	c, ok := untyped(o)
	if ok {
		c.NeverReleases, c.TakesTerminating = true, true
	}
	return c, ok
}

// broadcastJob looks only at pods that it controls and that bear its labels
// (Reconcile of broadcastjob_controller.go, v1.9.1): it adopts none and releases none.
func broadcastJob(o *unstructured.Unstructured) (*Controller, bool) {
	own := map[string]string{"broadcastjob-name": o.GetName(), "broadcastjob-controller-uid": string(o.GetUID())}
	c, ok := NewController(&metav1.LabelSelector{MatchLabels: own}, nil)
	c.NeverAdopts, c.NeverReleases, c.Generated = true, true, true
	return c, ok
}

// unitedDeployment claims the workloads of the sort that its subsets are made
// of (GetAllSubsets of subset_control.go), and revisions, sort "", which it
// does whatever they are made of (controlledHistories of revision.go, v1.9.1). It lists
// them by label, so that it releases none, and in all namespaces.
func unitedDeployment(sort string) func(o *unstructured.Unstructured) (*Controller, bool) {
	return func(o *unstructured.Unstructured) (*Controller, bool) {
		if _, made, _ := unstructured.NestedMap(o.Object, "spec", "template", sort); !made && sort != "" {
			return nil, false
		}
		c, ok := untyped(o)
		if ok {
			c.NeverReleases, c.Updates, c.Everywhere, c.Template = true, true, true, nil
		}
		return c, ok
	}
}
