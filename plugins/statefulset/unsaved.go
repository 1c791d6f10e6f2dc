package statefulset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// unsaved is a revision or a claim that files lack though a Pod shows that it is there:
// without it, Pods would seem to be due for an update, or claims to be missing.
func unsaved(r *view.Reader, t view.Target) *ownership.Unsaved {
	set, err := load(r, t)
	if err != nil {
		return nil // which is said where it is decided
	}
	if lacks := ownership.UnsavedRevision(r, t.Kind, set, set.Status.UpdateRevision, set.Status.CurrentRevision); lacks != nil {
		return lacks
	}
	if len(set.Spec.VolumeClaimTemplates) == 0 {
		return nil
	}
	return ownership.UnsavedClaim(r, t.Namespace, func(name string) bool {
		_, ours := ownership.ClaimOrdinal(set, name)
		return ours
	})
}
