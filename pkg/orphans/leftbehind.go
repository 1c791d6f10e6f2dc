package orphans

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// instanceID is the label that ties a CloneSet's pods to their volume claims.
const instanceID = "apps.kruise.io/cloneset-instance-id"

// unclaimedSet judges a ReplicaSet that no Deployment claims: it was made by
// one if it bears the hash of a template.
func unclaimedSet(obj metav1.Object) Finding {
	if hash, made := obj.GetLabels()[appsv1.DefaultDeploymentUniqueLabelKey]; made {
		return Finding{Group: LeftBehind, Ruling: decision.Ruled(UnclaimedSet, decision.At(keyHash, hash, "metadata.labels[pod-template-hash]"))}
	}
	return byDesign(StandaloneSet)
}

// madeBy are the labels that controllers give to Pods that they make. CloneSets give both
// hashes.
var madeBy = []struct{ label, maker string }{
	{appsv1.ControllerRevisionHashLabelKey, "a StatefulSet, DaemonSet or CloneSet"},
	{appsv1.DefaultDeploymentUniqueLabelKey, "a ReplicaSet"},
	{batchv1.JobNameLabel, "a Job"},
}

// unclaimedPod judges a Pod that no controller claims: one made it if it bears a label
// that controllers give to theirs, or if the controller manager created it.
func unclaimedPod(obj metav1.Object) Finding {
	for _, m := range madeBy {
		if value, made := obj.GetLabels()[m.label]; made {
			return Finding{Group: LeftBehind, Ruling: decision.Ruled(UnclaimedPod,
				decision.F(keyMaker, m.maker), decision.At(keyLabel, m.label+"="+value, "metadata.labels["+m.label+"]"))}
		}
	}
	for _, m := range view.Decoded(obj).GetManagedFields() {
		if m.Manager == view.ControllerManager && view.Generated(obj, m) {
			return Finding{Group: LeftBehind, Ruling: decision.Ruled(UnclaimedPod,
				decision.F(keyMaker, "a ReplicaSet or ReplicationController"), decision.At(keyLabel, "created by "+m.Manager, "metadata.managedFields"))}
		}
	}
	return byDesign(BarePod)
}

// unused judges an object whose owner is what it says: it may still be of no
// use any more.
func (f *finder) unused(k view.Kind, obj metav1.Object, ref *metav1.OwnerReference) (Finding, bool) {
	if k.Kind == view.ControllerRevisions.Kind {
		return f.expired(obj, ref)
	}
	if k.Kind != view.PersistentVolumeClaims.Kind {
		return Finding{}, true
	}
	id := obj.GetLabels()[instanceID]
	if ref.Kind != view.CloneSets.Kind || id == "" {
		return f.beyondReplicas(obj)
	}
	pods := view.Need{Kind: view.Pods, Namespace: f.Namespace, IfMissing: "volume claims that no Pod uses are not shown"}
	if f.r.Err(pods) != nil || f.instancesOf(pods, ref.UID)[id] {
		return Finding{}, true
	}
	return Finding{Group: LeftBehind, Ruling: decision.Ruled(UnusedClaim,
		decision.At(keyInstance, id, "metadata.labels["+instanceID+"]"),
		decision.F(keyController, decision.Ref{Kind: ref.Kind, Name: ref.Name}.String()),
		decision.At(keyDisablePVCReuse, f.noReuse(obj.GetNamespace(), ref.Name), "spec.scaleStrategy.disablePVCReuse"))}, false
}

// instancesOf are the IDs of the instances of a CloneSet that have a pod.
func (f *finder) instancesOf(pods view.Need, uid types.UID) map[string]bool {
	if f.instances[uid] == nil {
		ids := map[string]bool{}
		for _, pod := range f.r.ControlledBy(pods, uid) {
			if pod.GetDeletionTimestamp() == nil {
				ids[pod.GetLabels()[instanceID]] = true
			}
		}
		f.instances[uid] = ids
	}
	return f.instances[uid]
}

// noReuse reports whether the CloneSet deletes claims of instances that are gone.
func (f *finder) noReuse(namespace, name string) bool {
	need := view.Need{Kind: view.CloneSets, Namespace: namespace, Name: name, IfMissing: "whether its volume claims are used again is not known", Explains: true}
	set, ok := view.Get[*unstructured.Unstructured](f.r, need)
	if !ok {
		return false
	}
	disabled, _, _ := unstructured.NestedBool(set.Object, "spec", "scaleStrategy", "disablePVCReuse")
	return disabled
}
