package cloneset

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// deleteVolumes deletes the claims that bear the pod's instance ID; a pod
// without one takes the claims without one along (deletePods,
// sync/cloneset_scale.go, v1.9.1).
func (s *sync) deleteVolumes(m *member, share *decision.Choice) {
	for _, v := range s.claims.volumes {
		if v.GetLabels()[instanceLabel] != m.id {
			continue
		}
		why := decision.Ruled(VolumeGoesWithPod, decision.F("pod", m.Name), decision.At("instance", m.id, "metadata.labels["+instanceLabel+"]"))
		if share == nil {
			s.deleteVolume(v, why)
			continue
		}
		s.d.Actions = append(s.d.Actions, action(decision.Delete, ownership.RefTo(view.PersistentVolumeClaims, v), why))
		s.shared(share)
		s.record.possible = append(s.record.possible, v.GetNamespace()+"/"+v.GetName())
	}
}

func (s *sync) deleteVolume(v metav1.Object, why decision.Ruling) {
	s.d.Actions = append(s.d.Actions, action(decision.Delete, ownership.RefTo(view.PersistentVolumeClaims, v), why))
	s.record.deletes = append(s.record.deletes, v.GetNamespace()+"/"+v.GetName())
}

// cleanUpVolumes mirrors cleanupPVCs (cloneset_controller.go, v1.9.1): with
// disablePVCReuse, claims of pods that are on their way out go to those pods,
// and claims of no pod are deleted, before anything else of the sync.
func (s *sync) cleanUpVolumes() {
	if !s.set.spec.ScaleStrategy.DisablePVCReuse {
		return
	}
	active, inactive := map[string]bool{}, map[string]*corev1.Pod{}
	for _, p := range s.allActive() {
		active[p.Labels[instanceLabel]] = p.Labels[instanceLabel] != ""
	}
	for _, p := range s.claims.inactive {
		if id := p.Labels[instanceLabel]; id != "" {
			inactive[id] = p
		}
	}
	var kept []metav1.Object
	for _, v := range s.claims.volumes {
		id := v.GetLabels()[instanceLabel]
		switch pod := inactive[id]; {
		case active[id]:
			kept = append(kept, v)
		case pod != nil:
			s.d.Actions = append(s.d.Actions, action(decision.Detach, ownership.RefTo(view.PersistentVolumeClaims, v),
				decision.Ruled(VolumeHandedToPod, decision.F("pod", pod.Name))))
		default:
			s.deleteVolume(v, decision.Ruled(VolumeOfNoPod, decision.F("instance", id)))
		}
	}
	s.claims.volumes = kept
}

// allActive are the active pods before claiming: also those that are released.
func (s *sync) allActive() []*corev1.Pod {
	all := append([]*corev1.Pod{}, s.claims.active...)
	return append(all, s.claims.releasing...)
}
