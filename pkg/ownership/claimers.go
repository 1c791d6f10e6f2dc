package ownership

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// claimerKinds lists, by the kind of the claimed, which kinds claim and how.
// The sources are getPodsFor… and its like of pkg/controller/*, and of
// openkruise/kruise pkg/controller/* (v1.9.1).
var claimerKinds = map[schema.GroupKind][]claimerKind{
	view.Pods.GroupKind(): {
		{view.ReplicaSets, of(replicaSet)},
		{view.ReplicationControllers, of(replicationController)},
		{view.DaemonSets, of(daemonSet)},
		{view.StatefulSets, of(statefulSet)},
		{view.Jobs, of(job)},
		{view.CloneSets, of(cloneSet)},
		{view.AdvancedDaemonSets, of(untyped)},
		{view.AdvancedStatefulSets, of(advancedStatefulSet)},
		{view.BroadcastJobs, of(broadcastJob)},
	},
	view.ReplicaSets.GroupKind(): {
		{view.Deployments, of(deployment)},
	},
	view.ControllerRevisions.GroupKind(): {
		{view.DaemonSets, of(daemonSet)},
		{view.StatefulSets, of(statefulSetRevisions)},
		{view.CloneSets, of(cloneSetRevisions)},
		{view.AdvancedDaemonSets, of(untyped)},
		{view.AdvancedStatefulSets, of(advancedStatefulSetRevisions)},
		{view.UnitedDeployments, of(unitedDeployment(""))},
	},
	view.StatefulSets.GroupKind():         {{view.UnitedDeployments, of(unitedDeployment("statefulSetTemplate"))}},
	view.AdvancedStatefulSets.GroupKind(): {{view.UnitedDeployments, of(unitedDeployment("advancedStatefulSetTemplate"))}},
	view.CloneSets.GroupKind():            {{view.UnitedDeployments, of(unitedDeployment("cloneSetTemplate"))}},
	view.Deployments.GroupKind():          {{view.UnitedDeployments, of(unitedDeployment("deploymentTemplate"))}},
}

func of[T metav1.Object](read func(T) (*Controller, bool)) func(metav1.Object) (*Controller, bool) {
	return func(obj metav1.Object) (*Controller, bool) {
		typed, ok := obj.(T)
		if !ok {
			return nil, false
		}
		return read(typed)
	}
}

func replicaSet(o *appsv1.ReplicaSet) (*Controller, bool) {
	c, ok := NewController(o.Spec.Selector, o.Spec.Template.Labels)
	c.ActiveOnly = true
	if o.Spec.Selector != nil {
		_, c.Generated = o.Spec.Selector.MatchLabels[appsv1.DefaultDeploymentUniqueLabelKey]
	}
	return c, ok
}

func replicationController(o *corev1.ReplicationController) (*Controller, bool) {
	var template labels.Set
	if o.Spec.Template != nil {
		template = o.Spec.Template.Labels
	}
	c, ok := NewController(&metav1.LabelSelector{MatchLabels: o.Spec.Selector}, template)
	c.ActiveOnly = true
	return c, ok
}

func daemonSet(o *appsv1.DaemonSet) (*Controller, bool) {
	return NewController(o.Spec.Selector, o.Spec.Template.Labels)
}

func deployment(o *appsv1.Deployment) (*Controller, bool) {
	return NewController(o.Spec.Selector, o.Spec.Template.Labels)
}

// statefulSet claims only pods of its name (isMemberOf of stateful_set_utils.go, v1.37.1).
func statefulSet(o *appsv1.StatefulSet) (*Controller, bool) {
	c, ok := NewController(o.Spec.Selector, o.Spec.Template.Labels)
	c.Member = func(pod metav1.Object) bool { return isOrdinalOf(pod.GetName(), o.Name) }
	return c, ok
}

// statefulSetRevisions mirrors adoptOrphanRevisions of stateful_set.go: it lists
// revisions by selector, adopts those without a controller, also while they are being
// deleted, and releases none.
func statefulSetRevisions(o *appsv1.StatefulSet) (*Controller, bool) {
	c, ok := NewController(o.Spec.Selector, o.Spec.Template.Labels)
	c.NeverReleases, c.TakesTerminating = true, true
	return c, ok
}

// job claims until it is finished, unless another controller manages it
// (syncJob of job_controller.go, v1.37.1). It marks its pods with a finalizer
// (getPodsForJob).
func job(o *batchv1.Job) (*Controller, bool) {
	c, ok := NewController(o.Spec.Selector, o.Spec.Template.Labels)
	c.Finalizers = []string{batchv1.JobTrackingFinalizer}
	c.Generated = o.Spec.ManualSelector == nil || !*o.Spec.ManualSelector
	if by := o.Spec.ManagedBy; by != nil && *by != batchv1.JobControllerName {
		c.Idle = &decision.Ruling{Rule: ManagedElsewhere, Facts: decision.Facts{decision.At(keyManagedBy, *by, "spec.managedBy")}}
	}
	for _, cond := range o.Status.Conditions {
		if (cond.Type == batchv1.JobComplete || cond.Type == batchv1.JobFailed) && cond.Status == corev1.ConditionTrue {
			c.Idle = &decision.Ruling{Rule: FinishedJob, Facts: decision.Facts{decision.At(keyCondition, string(cond.Type), "status.conditions")}}
		}
	}
	return c, ok
}

// NewController is a controller that adopts what the selector matches, releases what it does
// not match, and makes Pods with the template's labels. It is false for a selector that is
// invalid or selects everything: controllers look for no orphans with those.
//
//go:noinline // it is called at many places
func NewController(sel *metav1.LabelSelector, template labels.Set) (*Controller, bool) {
	s, ok := selectorOf(sel)
	return &Controller{Claimer: Claimer{Selector: s}, Template: template}, ok
}
