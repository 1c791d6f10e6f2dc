package cli

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// held is the target as files hold it, in whatever detail; nil when they don't.
func held(v *view.View, t view.Target) metav1.Object {
	obj, ok := v.Held(t.Kind, t.Namespace, t.Name)
	if !ok {
		return nil
	}
	return obj
}

// podsLeftOut is the error of files with the target but none of the pods that
// it says it has: they were not saved, and a decision without them would look
// whole. A bundle, and an empty list, say themselves what was read. Who scales
// others leaves the pods to them, unless all of them are simulated.
func podsLeftOut(v *view.View, a aim, obj metav1.Object, simulated bool) error {
	if len(a.controller.Scales) > 0 && !simulated {
		return nil
	}
	t, counted := a.Target, countedPods(obj)
	pods := view.Need{Kind: view.Pods, Namespace: t.Namespace, Without: "only asked whether they were saved"}
	if counted == 0 || v.Vouches(view.Pods) || len(v.Reader().Metadata(pods)) > 0 {
		return nil
	}
	kinds := ""
	for _, k := range append([]view.Kind{t.Kind}, a.controller.Scales...) {
		kinds += append(slices.Clip(k.Short), k.Resource)[0] + ","
	}
	return fmt.Errorf("%s/%s/%s counts %d pods in its status, but the input holds no pod of namespace %s: save them as well, with kubectl get %spods -n %s -o yaml",
		t.Kind.Resource, t.Namespace, t.Name, counted, t.Namespace, kinds, t.Namespace)
}

// countedPods is status.replicas.
func countedPods(obj metav1.Object) int32 {
	switch o := obj.(type) {
	case *appsv1.Deployment:
		return o.Status.Replicas
	case *appsv1.ReplicaSet:
		return o.Status.Replicas
	case *corev1.ReplicationController:
		return o.Status.Replicas
	case *unstructured.Unstructured:
		n, _, _ := unstructured.NestedInt64(o.Object, "status", "replicas")
		return int32(n)
	}
	return 0
}

// few names are listed whole.
const few = 3

// withNear says what there is instead of a target that was not found.
func withNear(a aim, names []string, err error) error {
	meant := didYouMean(a.Name, names)
	switch {
	case meant != "":
		return fmt.Errorf("%w%s", err, meant)
	case len(names) == 0:
		return fmt.Errorf("%w, which holds no %s", err, a.Kind.Resource)
	case len(names) <= few:
		return fmt.Errorf("%w, which holds %s", err, join(names))
	}
	return fmt.Errorf("%w, which holds %d other %s", err, len(names), a.Kind.Resource)
}
