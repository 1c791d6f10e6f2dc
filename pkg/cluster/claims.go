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
		if !ok || claim.GetDeletionTimestamp() == nil || m.claimKept(gone.Namespace, name, func(*corev1.Pod) bool { return false }) {
			continue
		}
		if !slices.ContainsFunc(claim.GetFinalizers(), func(f string) bool { return f != view.ClaimProtection }) {
			m.Drop(view.PersistentVolumeClaims, claim)
		}
	}
}

// claimKept reports whether a Pod keeps a volume claim, besides some.
func (m *Model) claimKept(namespace, claim string, besides func(*corev1.Pod) bool) bool {
	return slices.ContainsFunc(m.In(view.Pods, namespace), func(o metav1.Object) bool {
		p, ok := view.Decoded(o).(*corev1.Pod)
		return ok && view.KeepsClaim(p, claim) && !besides(p)
	})
}

// classless reports whether a Pod waits for a volume claim whose StorageClass is not there,
// as the newest event of that claim says, or, of one that is new, that of another claim which
// asks for the same class, or of a claim of a Pod of the start like it; and puts that on record.
func (m *Model) classless(p *corev1.Pod) bool {
	for _, name := range view.ClaimsOf(p) {
		claim, held := m.Get(view.PersistentVolumeClaims, p.Namespace, name)
		if held && view.ClaimBound(claim) {
			continue
		}
		missing := m.missing.in(m, p.Namespace)
		class := missing.of[name]
		if class == "" && held {
			class = missing.asked(claim)
		}
		if class != "" {
			m.Note(decision.Ruled(NoClassStay, decision.F(keyPod, p.Name), decision.F(keyClass, class)))
			return true
		}
		if held && slices.ContainsFunc(m.unclassed, func(like *corev1.Pod) bool { return alike(like, p) }) {
			return true
		}
	}
	return false
}

// missingClasses are the StorageClasses that are not there, by namespace.
type missingClasses map[string]missingIn

// missingIn are those that the newest events of volume claims name: of is that of a claim,
// unbound are those of claims that are there and wait.
type missingIn struct {
	of      map[string]string
	unbound []string
}

// in are those of a namespace, where its events have been read. No event is added to those of
// the start, so that they are looked through once.
func (c missingClasses) in(m *Model, namespace string) missingIn {
	missing, known := c[namespace]
	if known {
		return missing
	}
	var all []*corev1.Event
	for _, obj := range m.In(view.Events, namespace) {
		if e, ok := view.Decoded(obj).(*corev1.Event); ok {
			all = append(all, e)
		}
	}
	missing.of = map[string]string{}
	for name, e := range events.NewestOf(all, view.PersistentVolumeClaims.Kind) {
		class := events.MissingClass(e)
		if class == "" {
			continue
		}
		missing.of[name] = class
		if claim, held := m.Get(view.PersistentVolumeClaims, namespace, name); held && !view.ClaimBound(claim) {
			missing.unbound = append(missing.unbound, class)
		}
	}
	c[namespace] = missing
	return missing
}

// asked is the class that a volume claim asks for, where it is known not to be there.
func (i missingIn) asked(claim metav1.Object) string {
	c, whole := view.Decoded(claim).(*corev1.PersistentVolumeClaim)
	if !whole || c.Spec.StorageClassName == nil || !slices.Contains(i.unbound, *c.Spec.StorageClassName) {
		return ""
	}
	return *c.Spec.StorageClassName
}
