// Package pub answers: which PodUnavailableBudget does Kruise's webhook ask
// before it lets a pod be disrupted?
//
// Pods name their budget themselves, and may waive it (apis/policy/v1alpha1/
// podunavailablebudget_types.go and pkg/control/pubcontrol of Kruise, v1.9.1).
package pub

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Annotation is where a pod names its budget.
const Annotation = "kruise.io/related-pub"

// Budget is the name of a pod's budget, empty for none.
func Budget(pod metav1.Object) string { return pod.GetAnnotations()[Annotation] }

// Waived reports whether the webhook lets the pod be disrupted, whatever budget it names.
func Waived(pod metav1.Object) bool {
	return pod.GetAnnotations()["pub.kruise.io/no-protect"] == "true"
}
