package admission

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BudgetAnnotation is where a Pod names the PodUnavailableBudget that Kruise's webhook asks
// before it is disrupted (apis/policy/v1alpha1/podunavailablebudget_types.go, v1.9.1).
const BudgetAnnotation = "kruise.io/related-pub"

// Budget is the name of a Pod's PodUnavailableBudget, empty for none.
//
//go:noinline // it is called at many places
func Budget(pod metav1.Object) string { return pod.GetAnnotations()[BudgetAnnotation] }

// Waived reports whether the webhook lets the Pod be disrupted, whatever budget it names
// (pkg/control/pubcontrol of Kruise, v1.9.1).
func Waived(pod metav1.Object) bool {
	return pod.GetAnnotations()["pub.kruise.io/no-protect"] == "true"
}
