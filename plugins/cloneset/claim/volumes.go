package claim

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// cleanUp mirrors cleanupPVCs (cloneset_controller.go, v1.9.1): with
// disablePVCReuse, claims of pods that are on their way out go to those pods,
// and claims of no pod are deleted, before anything else of the sync. It returns
// those that are kept.
func (s *finding) cleanUp(volumes []metav1.Object, pods []view.Finding[looked]) []metav1.Object {
	if !s.Set.Spec.ScaleStrategy.DisablePVCReuse {
		return volumes
	}
	active, inactive := map[string]bool{}, map[string]*corev1.Pod{}
	for i := range pods {
		p := pods[i].Found.pod
		if p == nil {
			continue
		}
		switch id := p.Labels[api.InstanceLabel]; {
		case id == "":
		case kruise.Active(p):
			active[id] = true
		default:
			inactive[id] = p
		}
	}
	var kept, stray []metav1.Object
	for _, v := range volumes {
		id := v.GetLabels()[api.InstanceLabel]
		switch pod := inactive[id]; {
		case active[id]:
			kept = append(kept, v)
		case pod != nil:
			s.handOver(v, pod)
		default:
			stray = append(stray, v)
		}
	}
	for _, v := range stray {
		s.deleteStray(v)
	}
	return kept
}

func (s *finding) handOver(v metav1.Object, pod *corev1.Pod) {
	ref := ownership.RefTo(view.PersistentVolumeClaims, v)
	write, err := s.Send(reconcile.Once(cluster.Write{
		Verb: cluster.Update, Kind: view.PersistentVolumeClaims, Namespace: ref.Namespace, Name: ref.Name,
		Stored: func(now metav1.Object) metav1.Object {
			next := view.Copy(now)
			next.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(pod, view.Pods.GroupVersionKind)})
			return next
		},
	}))
	if s.found.Fail(err); s.found.Err != nil {
		return
	}
	s.Does(reconcile.Action(decision.Detach, ref, decision.Ruled(rules.VolumeHandedToPod, decision.F(rules.KeyPod, pod.Name))), write)
}

func (s *finding) deleteStray(v metav1.Object) {
	if s.found.Fail(s.volumeRefused(v)); s.found.Err != nil {
		return
	}
	s.DeleteVolume(v, decision.Ruled(rules.VolumeOfNoPod, decision.F(rules.KeyInstance, v.GetLabels()[api.InstanceLabel])), "", 0)
	s.Record.Delete(v.GetNamespace() + "/" + v.GetName())
}

func (s *finding) volumeRefused(v metav1.Object) error {
	return s.Refused(reconcile.Call{Verb: "delete", Kind: view.PersistentVolumeClaims.Kind, Name: v.GetName()})
}
