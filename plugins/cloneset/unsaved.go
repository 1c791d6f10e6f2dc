package cloneset

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
)

// unsaved is a revision or a claim that files lack though a Pod or status names it: without
// it, Pods would seem to be due for an update, and their claims not to go with them.
func unsaved(r *view.Reader, t view.Target) *ownership.Unsaved {
	set, err := api.Get(r, t)
	if err != nil {
		return nil // which is said where it is decided
	}
	if lacks := ownership.UnsavedRevision(r, t.Kind, set, set.Status.UpdateRevision, set.Status.CurrentRevision); lacks != nil {
		return lacks
	}
	if len(set.Spec.VolumeClaimTemplates) == 0 {
		return nil
	}
	return ownership.UnsavedClaim(r, t.Namespace, func(name string) bool { return isClaimOf(set, name) })
}

// isClaimOf reports whether a claim is one of the set's, by its name: that of the template,
// the set's and an instance ID, which has no dash in it.
func isClaimOf(set *api.Set, claim string) bool {
	return slices.ContainsFunc(set.Spec.VolumeClaimTemplates, func(t corev1.PersistentVolumeClaim) bool {
		id, ok := strings.CutPrefix(claim, t.Name+"-"+set.GetName()+"-")
		return ok && !strings.Contains(id, "-")
	})
}
