package reconcile

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// ByInstance returns volume claims by the instance ID of their Pod.
func ByInstance(volumes []metav1.Object) map[string][]decision.Ref {
	all := map[string][]decision.Ref{}
	for _, v := range volumes {
		id := v.GetLabels()[api.InstanceLabel]
		all[id] = append(all[id], ownership.RefTo(view.PersistentVolumeClaims, v))
	}
	return all
}

// DeleteVolume deletes a volume claim, with the request of a number where it goes with
// a Pod.
func (s *Run) DeleteVolume(v metav1.Object, why decision.Ruling, pod string, with int) {
	ref := ownership.RefTo(view.PersistentVolumeClaims, v)
	w := kruise.Deletion(view.PersistentVolumeClaims, ref)
	w.With = with
	a := Action(decision.Delete, ref, why)
	a.With = pod
	s.Does(a, s.Log.Add(w))
}
