package ownership

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Unsaved is an object that files lack though one in them shows that it is there: they
// were not saved whole.
type Unsaved struct {
	Kind view.Kind
	Name string
	// By shows it.
	By decision.Ref
}

// UnsavedRevision is a ControllerRevision that a Pod of the owner is of, or the owner's
// status names, and that the files lack; nil for none. Those that Pods are of are never
// deleted for their number (truncateHistory, stateful_set_control.go, v1.37.1), in Kruise
// neither. Files without any revision are taken to be without them on purpose: status
// tells some of it.
func UnsavedRevision(r *view.Reader, ownerKind view.Kind, owner metav1.Object, named ...string) *Unsaved {
	k, namespace := view.ControllerRevisions, owner.GetNamespace()
	if r.Vouches(k) || len(r.AllMetadata(k)) == 0 {
		return nil
	}
	lacks := func(name string) bool {
		_, whole := r.Held(k, namespace, name)
		_, short := r.Held(k, namespace, owner.GetName()+"-"+name)
		return name != "" && !whole && !short
	}
	for _, name := range named {
		if lacks(name) {
			return &Unsaved{k, name, RefTo(ownerKind, owner)}
		}
	}
	for _, pod := range r.ControlledBy(view.Need{Kind: view.Pods, Namespace: namespace}, owner.GetUID()) {
		if name := pod.GetLabels()[appsv1.ControllerRevisionHashLabelKey]; lacks(name) {
			return &Unsaved{k, name, RefTo(view.Pods, pod)}
		}
	}
	return nil
}

// UnsavedClaim is a PersistentVolumeClaim, of those that are ours, that a Pod uses, on a
// node and not at its end, and that the files lack; nil for none. Such a Pod keeps its
// claim, whoever deletes that (storage object in use protection). Files without any claim
// are taken to be without them on purpose.
func UnsavedClaim(r *view.Reader, namespace string, ours func(name string) bool) *Unsaved {
	k := view.PersistentVolumeClaims
	if r.Vouches(k) || len(r.AllMetadata(k)) == 0 {
		return nil
	}
	type key struct{ namespace string }
	for _, absent := range view.Derived(r.View, key{namespace}, func() []Unsaved { return absentClaims(r, namespace) }) {
		if ours(absent.Name) {
			return &absent
		}
	}
	return nil
}

func absentClaims(r *view.Reader, namespace string) (all []Unsaved) {
	for _, obj := range r.All(view.Pods) {
		pod, full := obj.(*corev1.Pod)
		if !full || pod.Namespace != namespace || pod.Spec.NodeName == "" || view.Ended(pod) {
			continue
		}
		for _, v := range pod.Spec.Volumes {
			if v.PersistentVolumeClaim == nil {
				continue
			}
			if _, held := r.Held(view.PersistentVolumeClaims, namespace, v.PersistentVolumeClaim.ClaimName); !held {
				all = append(all, Unsaved{view.PersistentVolumeClaims, v.PersistentVolumeClaim.ClaimName, RefTo(view.Pods, pod)})
			}
		}
	}
	return all
}
