package orphans

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// scopes are the namespaces to look at: the one that was asked for, or all at
// once. Who may not list objects of all namespaces may list those of some.
func (q Query) scopes(r *view.Reader, rep *Report) []string {
	switch {
	case q.Namespace != "":
		rep.Namespaces = []string{q.Namespace}
		return rep.Namespaces
	case !q.forbidden(r):
		return []string{""}
	}
	need := view.Need{Kind: view.Namespaces, Without: "only the namespace of the kubeconfig is looked at"}
	for _, ns := range r.Objects(need) {
		rep.Namespaces = append(rep.Namespaces, ns.GetName())
	}
	if r.Err(need) != nil && q.Home != "" {
		rep.Namespaces = []string{q.Home}
	}
	return rep.Namespaces
}

// eachInstead is what becomes of a kind that may not be read in all namespaces
// when none may.
const eachInstead = "they are looked for in each namespace instead"

// forbidden tells whether none of the kinds may be read in all namespaces.
func (q Query) forbidden(r *view.Reader) bool {
	for _, k := range q.Kinds {
		if !apierrors.IsForbidden(r.Err(view.Need{Kind: k, Without: eachInstead})) {
			return false
		}
	}
	return true
}
