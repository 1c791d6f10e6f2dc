package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// dropClaims removes the volume claims that are being deleted, and of which a Pod that is
// gone was the last user (pkg/controller/volume/pvcprotection/pvc_protection_controller.go
// processPVC, v1.37.1).
func (m *Model) dropClaims(gone *corev1.Pod) {
	for _, name := range view.ClaimsOf(gone) {
		claim, ok := m.Get(view.PersistentVolumeClaims, gone.Namespace, name)
		if !ok || claim.GetDeletionTimestamp() == nil || m.claimKept(gone.Namespace, name) {
			continue
		}
		if !slices.ContainsFunc(claim.GetFinalizers(), func(f string) bool { return f != view.ClaimProtection }) {
			m.Drop(view.PersistentVolumeClaims, claim)
		}
	}
}

// claimKept reports whether a Pod keeps a volume claim.
func (m *Model) claimKept(namespace, claim string) bool {
	return slices.ContainsFunc(m.In(view.Pods, namespace), func(o metav1.Object) bool {
		p, ok := view.Decoded(o).(*corev1.Pod)
		return ok && view.KeepsClaim(p, claim)
	})
}
