package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
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

// claimKept reports whether a Pod keeps a volume claim, besides some.
func (m *Model) claimKept(namespace, claim string, besides ...string) bool {
	return slices.ContainsFunc(m.In(view.Pods, namespace), func(o metav1.Object) bool {
		p, ok := view.Decoded(o).(*corev1.Pod)
		return ok && view.KeepsClaim(p, claim) && !slices.Contains(besides, p.Name)
	})
}

// classless reports whether a Pod waits for a volume claim whose StorageClass is not there,
// as the newest event of that claim says, or, of one that is new, the event of a claim of a
// Pod of the start like it; and puts that on record.
func (m *Model) classless(p *corev1.Pod) bool {
	for _, name := range view.ClaimsOf(p) {
		claim, held := m.Get(view.PersistentVolumeClaims, p.Namespace, name)
		if held && view.ClaimBound(claim) {
			continue
		}
		if class := m.missing.of(m, p.Namespace, name); class != "" {
			m.Note(decision.Ruled(NoClassStay, decision.F(keyPod, p.Name), decision.F(keyClass, class)))
			return true
		}
		if held && slices.ContainsFunc(m.unclassed, func(like *corev1.Pod) bool { return alike(like, p) }) {
			return true
		}
	}
	return false
}

// missingClasses are the StorageClasses that are not there, by namespace and volume claim.
type missingClasses map[string]map[string]string

// of is that of a volume claim, as the newest event of the claim says where it has been read;
// empty where none does. No event is added to those of the start, so that they are looked
// through once.
func (c missingClasses) of(m *Model, namespace, claim string) string {
	missing, known := c[namespace]
	if !known {
		var all []*corev1.Event
		for _, obj := range m.In(view.Events, namespace) {
			if e, ok := view.Decoded(obj).(*corev1.Event); ok {
				all = append(all, e)
			}
		}
		missing = map[string]string{}
		for name, e := range events.NewestOf(all, view.PersistentVolumeClaims.Kind) {
			if class := events.MissingClass(e); class != "" {
				missing[name] = class
			}
		}
		c[namespace] = missing
	}
	return missing[claim]
}
