package scale

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// deleteVolumes deletes the claims that bear the pod's instance ID; a pod
// without one takes the claims without one along (deletePods,
// sync/cloneset_scale.go, v1.9.1).
func (s *scaling) deleteVolumes(m *core.PodState, share *decision.Choice, with int) {
	for _, v := range s.Volumes {
		if v.GetLabels()[api.InstanceLabel] != m.ID {
			continue
		}
		why := decision.Ruled(rules.VolumeGoesWithPod, decision.F("pod", m.Name), decision.At("instance", m.ID, "metadata.labels["+api.InstanceLabel+"]"))
		if share == nil {
			DeleteVolume(s.Run, v, why, with)
			continue
		}
		s.dropVolume(v, why, with)
		s.Share(share)
		s.Record.Perhaps(v.GetNamespace()+"/"+v.GetName(), share)
	}
}

func (s *scaling) dropVolume(v metav1.Object, why decision.Ruling, with int) {
	ref := ownership.RefTo(view.PersistentVolumeClaims, v)
	w := kruise.Deletion(view.PersistentVolumeClaims, ref)
	w.With = with
	s.Does(reconcile.Action(decision.Delete, ref, why), s.Log.Add(w))
}

// DeleteVolume deletes a volume claim, with the request of its Pod, 0 for none.
func DeleteVolume(run *reconcile.Run, v metav1.Object, why decision.Ruling, with int) {
	(&scaling{run}).dropVolume(v, why, with)
	run.Record.Delete(v.GetNamespace() + "/" + v.GetName())
}
