package cli

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// noNamespace is the error of a namespace that does not exist. known is false where
// namespaces can't be read.
//
//go:noinline // it is called at many places
func (o *opened) noNamespace(r *view.Reader, name string) (known bool, err error) {
	return noNamespace(r, o.files, name)
}

// noNamespace is the error of a namespace that does not exist, or that files hold nothing
// in. Names that may have been meant are read once it is known.
func noNamespace(r *view.Reader, files bool, name string) (known bool, err error) {
	switch {
	case name == "":
		return true, nil
	case files:
		return true, notHeld(r, name)
	}
	need := view.Need{Kind: view.Namespaces, Name: name, Detail: view.Full, IfMissing: "whether the namespace exists is not known", Explains: true}
	if _, found := view.Get[*corev1.Namespace](r, need); found || r.Provisional() || r.Err(need) != nil {
		return found, nil
	}
	all := r.Metadata(view.Need{Kind: view.Namespaces, IfMissing: "names that may have been meant are not suggested", Explains: true})
	if meant := didYouMean(name, uniqueOf(all, metav1.Object.GetName)); meant != "" {
		return true, fmt.Errorf("namespace %q not found%s", name, meant)
	}
	return true, fmt.Errorf("namespace %q not found; list all with: kubectl get namespaces", name)
}

// nowhere is the error of a namespace that does not exist, and that an object would be
// created in: kubectl apply fails on that.
func (m manifests) nowhere(r *view.Reader, namespace string) error {
	into := map[string]bool{}
	for _, o := range m.objs {
		if of := m.manifestOf(o).In(namespace); liveOf(r, of) == nil {
			into[of.Namespace] = true
		}
	}
	if r.Provisional() { // which objects are new is not known yet
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(into)) {
		if m.hold(view.Target{Kind: view.Namespaces, Name: name}) {
			continue
		}
		if _, err := noNamespace(r, m.files, name); err != nil {
			return err
		}
	}
	return nil
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
