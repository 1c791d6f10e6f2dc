package clusterdsl

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// addOther adds an object of the kinds that only questions about owners need.
func (o *object) addOther(b *view.Builder, kind string) error {
	switch kind {
	case "job":
		b.Add(view.Jobs, o.job())
	case "cloneset":
		b.Add(view.CloneSets, o.kruise(view.CloneSets))
	case "kruise-ds":
		b.Add(view.AdvancedDaemonSets, o.kruise(view.AdvancedDaemonSets))
	case "kruise-sts":
		b.Add(view.AdvancedStatefulSets, o.kruise(view.AdvancedStatefulSets))
	case "broadcastjob":
		b.Add(view.BroadcastJobs, o.kruise(view.BroadcastJobs))
	case "uniteddeployment":
		b.Add(view.UnitedDeployments, o.kruise(view.UnitedDeployments))
	case "pvc":
		if o.has("bound") {
			metav1.SetMetaDataAnnotation(&o.ObjectMeta, "pv.kubernetes.io/bind-completed", "yes")
		}
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: o.ObjectMeta}
		if mode := o.word("mode", ""); mode != "" {
			claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.PersistentVolumeAccessMode(mode)}
		}
		if o.has("lost") {
			claim.Status.Phase = corev1.ClaimLost
		}
		b.Add(view.PersistentVolumeClaims, claim)
	case "revision":
		b.Add(view.ControllerRevisions, &appsv1.ControllerRevision{ObjectMeta: o.ObjectMeta, Revision: int64(o.number("revision", 1))})
	case "node":
		node := &corev1.Node{ObjectMeta: o.ObjectMeta}
		node.Namespace = ""
		if o.has("notready") {
			node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, LastTransitionTime: o.ago("notready", 0)}}
		}
		node.Spec.Unschedulable = o.has("cordoned")
		if o.has("tainted") {
			node.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute, TimeAdded: new(o.ago("tainted", 0))}}
		}
		if cpu := o.text("cpu"); cpu != "" {
			node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
		}
		b.Add(view.Nodes, node)
	default:
		if add, ok := kruise[kind]; ok {
			return add(o, b)
		}
		return fmt.Errorf("%q is no kind of a sketch", kind)
	}
	return nil
}

func (o *object) job() *batchv1.Job {
	j := &batchv1.Job{ObjectMeta: o.ObjectMeta}
	j.Spec.Selector, j.Spec.Template, j.Spec.ManualSelector = o.selector(), o.template(), new(true)
	if by, ok := o.lookup("managed"); ok {
		j.Spec.ManagedBy = &by
	}
	if o.has("finished") {
		j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
	}
	return j
}

// kruise is an object of one of Kruise's workloads.
func (o *object) kruise(k view.Kind) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"replicas": int64(o.number("replicas", 1))}}}
	u.SetGroupVersionKind(k.GroupVersionKind)
	u.SetName(o.Name)
	u.SetNamespace(o.Namespace)
	u.SetUID(o.UID)
	u.SetLabels(o.Labels)
	u.SetDeletionTimestamp(o.DeletionTimestamp)
	terms := map[string]any{}
	if sel := o.selector(); sel != nil {
		for key, value := range sel.MatchLabels {
			terms[key] = value
		}
	}
	if sort, ok := o.lookup("subsets"); ok {
		_ = unstructured.SetNestedMap(u.Object, map[string]any{}, "spec", "template", sort)
	}
	_ = unstructured.SetNestedMap(u.Object, terms, "spec", "selector", "matchLabels") // of strings: can't fail
	return u
}

// history is revisionHistoryLimit, nil when the sketch has none.
func (o *object) history() *int32 {
	if !o.has("history") {
		return nil
	}
	return new(int32(o.number("history", 0)))
}

// adorn reads what only owners depend on: ref=kind/name[@uid],… for references
// that are no controller's, generate=prefix, mirror, finalizer=name, id=x for
// the instance of a CloneSet, and podrev=x for the revision of a pod.
func (o *object) adorn() {
	o.GenerateName = o.text("generate")
	if text, ok := o.lookup("ref"); ok {
		for one := range strings.SplitSeq(text, ",") {
			kind, name, _ := strings.Cut(one, "/")
			o.OwnerReferences = append(o.OwnerReferences, reference(kind, name))
		}
	}
	if o.has("mirror") {
		o.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
	}
	if name, ok := o.lookup("finalizer"); ok {
		o.Finalizers = strings.Split(name, ",")
	}
	for word, label := range map[string]string{"id": "apps.kruise.io/cloneset-instance-id", "podrev": appsv1.ControllerRevisionHashLabelKey} {
		if value, ok := o.lookup(word); ok {
			o.Labels[label] = value
		}
	}
}

// reference is an owner reference to kind/name, or name@uid. A kind that no
// View holds is written with its group: Workflow.argoproj.io is of version v1.
func reference(kind, name string) metav1.OwnerReference {
	name, uid, other := strings.Cut(name, "@")
	if !other {
		uid = name
	}
	ref := metav1.OwnerReference{Name: name, UID: types.UID(uid)}
	for _, k := range view.Kinds() {
		if k.Named(kind) || kind == "cs" && k.Resource == view.CloneSets.Resource {
			ref.Kind, ref.APIVersion = k.Kind, k.GroupVersion().String()
			return ref
		}
	}
	group := ""
	ref.Kind, group, _ = strings.Cut(kind, ".")
	ref.APIVersion = group + "/v1"
	return ref
}
