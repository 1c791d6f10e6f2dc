package admission

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The classes that Pods name, and without which they are refused (plugin/pkg/admission
// priority and runtimeclass, v1.37.1). They are not read; input may hold them.
var (
	priorityClasses = view.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "scheduling.k8s.io", Version: "v1", Kind: "PriorityClass"}, Resource: "priorityclasses"}
	runtimeClasses  = view.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass"}, Resource: "runtimeclasses"}
)

// builtIn are the PriorityClasses that each cluster has (pkg/apis/scheduling/types.go, v1.37.1).
var builtIn = []string{"system-cluster-critical", "system-node-critical"}

// class is a class by its name.
type class struct {
	view.Kind
	name string
}

// classesOf are those that a Pod names.
func classesOf(pod *corev1.Pod) (all []class) {
	if name := pod.Spec.PriorityClassName; name != "" && !slices.Contains(builtIn, name) {
		all = append(all, class{priorityClasses, name})
	}
	if name := ptr.Deref(pod.Spec.RuntimeClassName, ""); name != "" {
		all = append(all, class{runtimeClasses, name})
	}
	return all
}

// classes doubts that Pods are accepted which name a class that nothing shows to exist.
func (ns Namespace) classes(pod *corev1.Pod) (doubts []Doubt) {
	for _, c := range classesOf(pod) {
		if ns.exists != nil && !ns.exists(c) {
			doubts = append(doubts, Doubt{Why: fmt.Sprintf("whether %s %s exists is not read: without it, the API server refuses the Pods", c.Kind.Kind, c.name)})
		}
	}
	return doubts
}

// shown reports whether the input holds a class, or a Pod that was accepted with it.
func shown(r *view.Reader) func(class) bool {
	return func(c class) bool {
		if _, held := r.Held(c.Kind, "", c.name); held {
			return true
		}
		return slices.ContainsFunc(r.AllMetadata(view.Pods), func(obj metav1.Object) bool {
			pod, whole := view.Decoded(obj).(*corev1.Pod)
			return whole && slices.ContainsFunc(classesOf(pod), func(other class) bool { return other.name == c.name && other.Kind.Kind == c.Kind.Kind })
		})
	}
}
