package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
)

// unsaved is a revision that files lack though a Pod or status names it: without it, Pods
// would seem to be due for an update.
func unsaved(r *view.Reader, t view.Target) *ownership.Unsaved {
	set, err := api.Get(r, t)
	if err != nil {
		return nil // which is said where it is decided
	}
	return ownership.UnsavedRevision(r, t.Kind, set, set.Status.UpdateRevision, set.Status.CurrentRevision)
}
