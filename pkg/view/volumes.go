package view

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ClaimProtection is the finalizer that keeps a volume claim which is being deleted as long
// as a Pod uses it (pkg/volume/util/finalizer.go PVCProtectionFinalizer, v1.37.1).
const ClaimProtection = "kubernetes.io/pvc-protection"

// ClaimsOf are the names of a Pod's volume claims. That of an ephemeral volume is named
// after both.
func ClaimsOf(p *corev1.Pod) (names []string) {
	for _, v := range p.Spec.Volumes {
		switch {
		case v.PersistentVolumeClaim != nil:
			names = append(names, v.PersistentVolumeClaim.ClaimName)
		case v.Ephemeral != nil:
			names = append(names, p.Name+"-"+v.Name)
		}
	}
	return names
}

// ClaimBound reports whether a volume claim has its volume (k8s.io/component-helpers/storage/
// volume/pv_helpers.go AnnBindCompleted, v0.37.1). Its metadata tell.
func ClaimBound(claim metav1.Object) bool {
	return claim.GetAnnotations()["pv.kubernetes.io/bind-completed"] != ""
}

// KeepsClaim reports whether a Pod of its namespace keeps a volume claim: it has a node, and
// uses the claim (pkg/controller/volume/pvcprotection/pvc_protection_controller.go
// podUsesPVC, v1.37.1).
func KeepsClaim(p *corev1.Pod, claim string) bool {
	return p.Spec.NodeName != "" && slices.Contains(ClaimsOf(p), claim)
}
