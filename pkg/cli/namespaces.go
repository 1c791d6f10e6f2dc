package cli

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// noNamespace is the error of a namespace that does not exist. known is false where
// namespaces can't be read.
func (o *opened) noNamespace(r *view.Reader, name string) (known bool, err error) {
	switch {
	case name == "":
		return true, nil
	case o.files:
		return true, notHeld(r, name)
	}
	need := view.Need{Kind: view.Namespaces, Name: name, Detail: view.Full, IfMissing: "whether the namespace exists is not known", Explains: true}
	if _, found := view.Get[*corev1.Namespace](r, need); found || r.Err(need) != nil {
		return found, nil
	}
	all := r.Metadata(view.Need{Kind: view.Namespaces, IfMissing: "names that may have been meant are not suggested", Explains: true})
	if meant := didYouMean(name, uniqueOf(all, metav1.Object.GetName)); meant != "" {
		return true, fmt.Errorf("namespace %q not found%s", name, meant)
	}
	return true, fmt.Errorf("namespace %q not found; list all with: kubectl get namespaces", name)
}

// mostNamespaces is up to how many namespaces an error names.
const mostNamespaces = 5

// notHeld is the error of a namespace that files hold nothing in.
func notHeld(r *view.Reader, name string) error {
	all := r.Namespaces()
	meant := didYouMean(name, all)
	switch {
	case slices.Contains(all, name):
		return nil
	case meant != "":
		return fmt.Errorf("the input holds nothing in namespace %q%s", name, meant)
	case len(all) == 0:
		return fmt.Errorf("the input holds nothing in namespace %q, and no namespace; try --all-namespaces", name)
	}
	return fmt.Errorf("the input holds nothing in namespace %q; its namespaces are %s", name, format.Some(all[:min(len(all), mostNamespaces)], len(all)))
}
