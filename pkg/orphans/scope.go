package orphans

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// scopes are the namespaces to look at: the one that was asked for, or "" for all at
// once. Who may not list objects of all namespaces may list those of some.
func (q Query) scopes(r *view.Reader) (names []string) {
	switch {
	case q.Namespace != "":
		return []string{q.Namespace}
	case !q.forbidden(r):
		return []string{""}
	}
	need := view.Need{Kind: view.Namespaces, IfMissing: "only the namespace of the kubeconfig is looked at"}
	for _, ns := range r.Objects(need) {
		names = append(names, ns.GetName())
	}
	if r.Err(need) != nil && q.Home != "" {
		return []string{q.Home}
	}
	return names
}

// eachInstead is what becomes of a kind that may not be read in all namespaces
// when none may.
const eachInstead = "they are looked for in each namespace instead"

// forbidden reports whether none of the kinds may be read in all namespaces.
func (q Query) forbidden(r *view.Reader) bool {
	for _, k := range q.Kinds {
		if !apierrors.IsForbidden(r.Err(view.Need{Kind: k, IfMissing: eachInstead})) {
			return false
		}
	}
	return true
}
