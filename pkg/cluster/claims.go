package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// protection keeps a volume claim that is being deleted as long as a Pod uses it.
const protection = "kubernetes.io/pvc-protection"

// dropClaims removes the volume claims that are being deleted, and of which a Pod that is
// gone was the last user (pkg/controller/volume/pvcprotection/pvc_protection_controller.go
// processPVC, v1.37.1).
func (m *Model) dropClaims(gone *corev1.Pod) {
	for _, v := range gone.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		claim, ok := m.Get(view.PersistentVolumeClaims, gone.Namespace, v.PersistentVolumeClaim.ClaimName)
		if !ok || claim.GetDeletionTimestamp() == nil || m.claimUsed(gone.Namespace, claim.GetName()) {
			continue
		}
		if !slices.ContainsFunc(claim.GetFinalizers(), func(f string) bool { return f != protection }) {
			m.Drop(view.PersistentVolumeClaims, claim)
		}
	}
}

// claimUsed reports whether a Pod with a node uses a volume claim (podUsesPVC, same file).
func (m *Model) claimUsed(namespace, claim string) bool {
	return slices.ContainsFunc(m.In(view.Pods, namespace), func(o metav1.Object) bool {
		p, ok := view.Decoded(o).(*corev1.Pod)
		return ok && p.Spec.NodeName != "" && slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool {
			return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim
		})
	})
}
