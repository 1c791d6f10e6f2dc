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
			s.dropVolume(v, why, m.Name, with)
			s.Record.Delete(v.GetNamespace() + "/" + v.GetName())
			continue
		}
		s.dropVolume(v, why, m.Name, with)
		s.Share(share)
		s.Record.Perhaps(v.GetNamespace()+"/"+v.GetName(), share)
	}
}

func (s *scaling) dropVolume(v metav1.Object, why decision.Ruling, pod string, with int) {
	ref := ownership.RefTo(view.PersistentVolumeClaims, v)
	w := kruise.Deletion(view.PersistentVolumeClaims, ref)
	w.With = with
	a := reconcile.Action(decision.Delete, ref, why)
	a.With = pod
	s.Does(a, s.Log.Add(w))
}

// DeleteVolume deletes a volume claim of no Pod.
func DeleteVolume(run *reconcile.Run, v metav1.Object, why decision.Ruling) {
	(&scaling{run}).dropVolume(v, why, "", 0)
	run.Record.Delete(v.GetNamespace() + "/" + v.GetName())
}
