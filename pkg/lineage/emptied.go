package lineage

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"

// Emptied is the sentence that a namespace is being deleted, behind others, whatever its
// objects refer to (deleteAllContent of
// pkg/controller/namespace/deletion/namespaced_resources_deleter.go, v1.37.1). It is empty
// where it is not, and where that is not known.
func Emptied(r *view.Reader, namespace string) string {
	if namespace == "" {
		return ""
	}
	ns, err := r.Object(view.Need{
		Kind: view.Namespaces, Name: namespace, IfMissing: "whether the namespace is being deleted is not known", Explains: true, Extra: true,
	})
	if err != nil || ns == nil || ns.GetDeletionTimestamp() == nil {
		return ""
	}
	return " Namespace " + namespace + " is being deleted, and all that is in it."
}
