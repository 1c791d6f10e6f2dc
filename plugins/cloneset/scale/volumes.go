package scale

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// deleteVolumes deletes the claims that bear the pod's instance ID; a pod
// without one takes the claims without one along (deletePods,
// sync/cloneset_scale.go, v1.9.1).
func (s *scaling) deleteVolumes(m *core.PodState, share *decision.Choice, with int) {
	for _, v := range s.Volumes {
		if v.GetLabels()[api.InstanceLabel] != m.ID {
			continue
		}
		why := decision.Ruled(rules.VolumeGoesWithPod, decision.F(rules.KeyPod, m.Ref.Name), decision.At(rules.KeyInstance, m.ID, "metadata.labels["+api.InstanceLabel+"]"))
		if share == nil {
			s.DeleteVolume(v, why, m.Ref.Name, with)
			s.Record.Delete(v.GetNamespace() + "/" + v.GetName())
			continue
		}
		s.DeleteVolume(v, why, m.Ref.Name, with)
		s.Share(share)
		s.Record.Perhaps(v.GetNamespace()+"/"+v.GetName(), share)
	}
}
