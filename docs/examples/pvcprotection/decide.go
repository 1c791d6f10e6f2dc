package pvcprotection

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Kinds are the kinds that this plugin decides.
var Kinds = []view.Kind{view.PersistentVolumeClaims}

// finalizer is volumeutil.PVCProtectionFinalizer.
const finalizer = "kubernetes.io/pvc-protection"

// Decide mirrors processPVC (pvc_protection_controller.go, v1.37.1). Errors:
// *view.NotFound, and whatever kept the claim from being read.
func Decide(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	claim, found := view.Get[*corev1.PersistentVolumeClaim](r, need)
	if err := r.Err(need); err != nil {
		return nil, err
	}
	if !found {
		return nil, &view.NotFound{Target: t}
	}
	d := &decision.Decision{
		Target: ownership.RefTo(t.Kind, claim), AsOf: r.Now(),
		Modelled: decision.Modelled{
			Controller: "PVC protection controller", Version: p.Kubernetes.String(), Basis: p.Basis, GatesBasis: p.GatesBasis,
		},
		Gate: decision.Gate{Open: true, Basis: "computed", Ruling: decision.Ruled(NoExpectations)},
	}
	switch {
	case claim.DeletionTimestamp == nil:
		d.NextSync = decision.Ruled(NotDeleted)
	case !slices.Contains(claim.Finalizers, finalizer):
		d.NextSync = decision.Ruled(NotProtected)
	default:
		free(r, d, claim)
	}
	d.Summarize()
	return d, nil
}

// free takes the finalizer away, unless a pod uses the claim.
func free(r *view.Reader, d *decision.Decision, claim *corev1.PersistentVolumeClaim) {
	pods := view.Need{Kind: view.Pods, Namespace: claim.Namespace, IfMissing: "whether a pod uses the claim is not known"}
	for _, pod := range view.List[*corev1.Pod](r, pods, nil) {
		if uses(pod, claim.Name) {
			d.NextSync = decision.Ruled(UsedByPod, decision.F("pod", pod.Name), decision.At("node", pod.Spec.NodeName, "pod/"+pod.Name+" spec.nodeName"))
			return
		}
	}
	d.Actions = append(d.Actions, decision.Action{
		Verb: decision.Modify, Object: d.Target, Count: 1, Certainty: decision.Certain,
		Ruling: decision.Ruled(FinalizerRemoved, decision.F("finalizer", finalizer)),
	})
	d.NextSync = decision.Ruled(NotProtected)
}

// uses mirrors podUsesPVCForDeletion: pods without a node do not count, since
// no kubelet starts one whose claim is being deleted.
func uses(pod *corev1.Pod, claim string) bool {
	return pod.Spec.NodeName != "" && slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim
	})
}
