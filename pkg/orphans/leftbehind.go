package orphans

import (
	"errors"
	"slices"
	"strings"

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
func (f *finder) unclaimedSet(obj metav1.Object) Finding {
	if hash, made := obj.GetLabels()[appsv1.DefaultDeploymentUniqueLabelKey]; made {
		return f.leftBy(maker{"a Deployment", []view.Kind{view.Deployments}}, view.ReplicaSets, UnclaimedSet, decision.At(keyHash, hash, "metadata.labels[pod-template-hash]"))
	}
	return byDesign(StandaloneSet)
}

// maker is what may have made an object that says so. kinds are those that every cluster has.
type maker struct {
	text  string
	kinds []view.Kind
}

var (
	ofRevisions = maker{"a StatefulSet, DaemonSet or CloneSet", []view.Kind{view.StatefulSets, view.DaemonSets}}
	ofTemplates = maker{"a ReplicaSet or ReplicationController", []view.Kind{view.ReplicaSets, view.ReplicationControllers}}
)

// madeBy are the labels that controllers give to Pods that they make. CloneSets give both
// hashes.
var madeBy = []struct {
	label string
	maker
}{
	{appsv1.StatefulSetPodNameLabel, maker{"a StatefulSet", []view.Kind{view.StatefulSets}}},
	{appsv1.ControllerRevisionHashLabelKey, ofRevisions},
	{appsv1.DefaultDeploymentUniqueLabelKey, maker{"a ReplicaSet", []view.Kind{view.ReplicaSets}}},
	{batchv1.JobNameLabel, maker{"a Job", []view.Kind{view.Jobs}}},
}

// unclaimedPod judges a Pod that no controller claims: one made it if it bears a label
// that controllers give to theirs, or if the controller manager created it.
func (f *finder) unclaimedPod(obj metav1.Object) Finding {
	for _, m := range madeBy {
		if value, made := obj.GetLabels()[m.label]; made {
			return f.leftBy(m.maker, view.Pods, UnclaimedPod,
				decision.F(keyMaker, m.text), decision.At(keyLabel, m.label+"="+value, "metadata.labels["+m.label+"]"))
		}
	}
	for _, m := range view.Decoded(obj).GetManagedFields() {
		if m.Manager == view.ControllerManager && view.Generated(obj, m) {
			return f.leftBy(ofTemplates, view.Pods, UnclaimedPod,
				decision.F(keyMaker, ofTemplates.text), decision.At(keyLabel, "created by "+m.Manager, "metadata.managedFields"))
		}
	}
	return byDesign(BarePod)
}

// leftBy is the finding of an object of a kind that no controller selects. Where files hold none
// of the kinds that its maker is of, one of these may.
func (f *finder) leftBy(by maker, k view.Kind, rule string, facts ...decision.Fact) Finding {
	var names []string
	for _, read := range f.claimantsOf(k).Unread() {
		if errors.As(read.Err, new(*view.NotInInput)) && slices.ContainsFunc(by.kinds, read.Kind.Same) {
			names = append(names, read.Kind.GroupResource())
		}
	}
	if len(names) == len(by.kinds) {
		facts = append(facts, decision.F(keyKinds, strings.Join(names, ", ")))
	}
	return Finding{Group: LeftBehind, Ruling: decision.Ruled(rule, facts...)}
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
	pods := view.Need{Kind: view.Pods, Namespace: f.Namespace, IfMissing: claimsNotShown}
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
