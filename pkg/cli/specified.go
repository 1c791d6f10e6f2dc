package cli

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// checkSpecified refuses Pods to delete that do not refer to the target: the
// controller would ignore them. Where Pods were not read, nothing is refused.
func checkSpecified(r *view.Reader, t view.Target, owner metav1.Object, pods []string) error {
	if len(pods) == 0 {
		return nil
	}
	need := view.Need{Kind: view.Pods, Namespace: t.Namespace}
	all := r.Metadata(need)
	if read := (view.Read{Need: need, Err: r.Err(need)}); r.Provisional() || read.Partial() {
		return nil // of bundles, the metadata is enough
	}
	known, own := map[string]bool{}, []string{}
	for _, p := range all {
		known[p.GetName()] = true
		if slices.ContainsFunc(p.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return ref.UID == owner.GetUID() }) {
			own = append(own, p.GetName())
		}
	}
	for _, name := range pods {
		if !slices.Contains(own, name) {
			return fmt.Errorf("--%s: %w", whatif.Delete, notOf(t, name, own, known[name]))
		}
	}
	return nil
}

// notOf says that a Pod is not the target's, and what there is instead.
func notOf(t view.Target, name string, own []string, exists bool) error {
	err := fmt.Errorf("no Pod %q in namespace %s", name, t.Namespace)
	if exists {
		err = fmt.Errorf("the Pod %q is not one of this %s", name, t.Kind.Kind)
	}
	meant := didYouMean(name, own)
	switch {
	case meant != "":
		return fmt.Errorf("%w%s", err, meant)
	case len(own) == 0:
		return fmt.Errorf("%w, which has no Pods", err)
	case len(own) <= few:
		return fmt.Errorf("%w; its Pods are %s", err, join(own))
	}
	return fmt.Errorf("%w; list its %d Pods with kubectl get pods -n %s", err, len(own), t.Namespace)
}
