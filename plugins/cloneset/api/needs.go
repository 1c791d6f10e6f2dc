package api

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// ClaimsNeed returns the volume claims of the namespace.
func (s *Set) ClaimsNeed() view.Need {
	return view.Need{
		Kind: view.PersistentVolumeClaims, Namespace: s.GetNamespace(),
		IfMissing: "which volume claims are reused or deleted is not known",
	}
}

// VolumeClaims are those of the namespace. Where files hold none, a set without templates for
// them, whose Pods use none, misses none.
func (s *Set) VolumeClaims(r *view.Reader) []metav1.Object {
	need := s.ClaimsNeed()
	need.Spare = len(s.Spec.VolumeClaimTemplates) == 0 && r.TakenAsNone(need.Kind) && !slices.ContainsFunc(s.Controlled(r), mountsClaim)
	return r.Metadata(need)
}

func mountsClaim(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.PersistentVolumeClaim != nil })
}

// PodsNeed returns the Pods of the namespace.
//
//go:noinline // it is called at many places
func (s *Set) PodsNeed() view.Need {
	return view.Need{Kind: view.Pods, Namespace: s.GetNamespace()}
}

// EventsNeed returns all events of the set, read at once: what-ifs on a saved set ask for
// other reasons than what was saved for.
func (s *Set) EventsNeed() view.Need {
	return view.Need{
		Kind: view.Events, Namespace: s.GetNamespace(),
		Fields:    "involvedObject.kind=CloneSet,involvedObject.name=" + s.GetName(),
		IfMissing: "whether earlier writes failed is not known", Explains: true,
	}
}

// Controlled are its Pods, those among them that are being deleted or have ended.
func (s *Set) Controlled(r *view.Reader) []*corev1.Pod {
	return view.ListControlledBy[*corev1.Pod](r, s.PodsNeed(), s.Selector, s.GetUID())
}
