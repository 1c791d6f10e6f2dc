package states

import (
	"math"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The names that every state uses.
const (
	Namespace = "shop"
	Name      = "web"
	uid       = types.UID("uid-web")

	revisionKey = "deployment.kubernetes.io/revision"
	historyKey  = "deployment.kubernetes.io/revision-history"
	desiredKey  = "deployment.kubernetes.io/desired-replicas"
	maxKey      = "deployment.kubernetes.io/max-replicas"
)

func (s *scene) drawDeployment() *appsv1.Deployment {
	d := &appsv1.Deployment{}
	d.Name, d.Namespace, d.UID, d.ResourceVersion = Name, Namespace, uid, "100"
	d.Generation = int64(s.between(1, 4))
	d.CreationTimestamp = ago(100_000)
	d.Annotations = s.deploymentAnnotations()
	d.Spec = appsv1.DeploymentSpec{
		Replicas: new(s.desired()), Selector: s.selector(), Template: s.template(0),
		Strategy: s.strategy(), MinReadySeconds: mostly(s.draw, int32(0), 15, 5),
		Paused:                  s.chance(15),
		RevisionHistoryLimit:    new(mostly(s.draw, int32(10), 55, 0, 1, 2, math.MaxInt32)),
		ProgressDeadlineSeconds: new(mostly(s.draw, int32(600), 40, 10, math.MaxInt32)),
	}
	if s.chance(5) {
		d.DeletionTimestamp = new(ago(-30))
		d.Finalizers = []string{"foregroundDeletion"}
	}
	return d
}

func (s *scene) deploymentAnnotations() map[string]string {
	all := map[string]string{}
	if s.chance(80) {
		all[revisionKey] = pick(s.draw, "3", "1", "2", "4", "x")
	}
	if s.chance(20) {
		all["note"] = pick(s.draw, "a", "b", "")
	}
	if s.chance(10) {
		all[corev1.LastAppliedConfigAnnotation] = "{}"
	}
	if s.chance(10) {
		all[appsv1.DeprecatedRollbackTo] = pick(s.draw, "0", "1", "2", "3", "7", "x", "")
	}
	if len(all) == 0 && s.chance(50) {
		return nil
	}
	return all
}

func (s *scene) selector() *metav1.LabelSelector {
	plain := metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	bad := metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Is"}}}
	wide := metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: []string{"web", "blog"}}}}
	return new(mostly(s.draw, plain, 8, metav1.LabelSelector{}, bad, wide))
}

func (s *scene) strategy() appsv1.DeploymentStrategy {
	if s.chance(25) {
		return appsv1.DeploymentStrategy{Type: mostly(s.draw, appsv1.RecreateDeploymentStrategyType, 3, "Canary")}
	}
	limit := func() *intstr.IntOrString {
		return new(mostly(s.draw, intstr.FromString("25%"), 60, intstr.FromInt32(1), intstr.FromInt32(0), intstr.FromInt32(2),
			intstr.FromInt32(5), intstr.FromString("10%"), intstr.FromString("50%"), intstr.FromString("100%"), intstr.FromString("1%")))
	}
	return appsv1.DeploymentStrategy{
		Type:          appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: limit(), MaxUnavailable: limit()},
	}
}

// template is the version-th pod template.
func (s *scene) template(version int) corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{}
	t.Labels = map[string]string{"app": "web"}
	t.Spec.Containers = []corev1.Container{{Name: "main", Image: "web:" + string(rune('a'+version))}}
	t.Spec.Containers[0].Resources.Requests = s.cpu()
	s.rewrite(&t)
	return t
}

// cpu is one amount, written in two ways.
func (s *scene) cpu() corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(mostly(s.draw, "1", 15, "1000m"))}
}

// rewrite writes the template otherwise without changing what it says: what is
// empty may be left out, and is equal to what is left out.
func (s *scene) rewrite(t *corev1.PodTemplateSpec) {
	if s.chance(15) {
		t.Annotations, t.Spec.Volumes, t.Spec.NodeSelector = map[string]string{}, []corev1.Volume{}, map[string]string{}
		t.Spec.Containers[0].Env = []corev1.EnvVar{}
	}
}

// desired is mostly a handful, at times hundreds: percentages and proportions
// of few replicas round alike.
func (s *scene) desired() int32 {
	if s.chance(12) {
		return s.some(100, 500)
	}
	return s.some(0, 10)
}

func (s *scene) drawStatus(d *appsv1.Deployment) {
	st := &d.Status
	if s.chance(80) {
		st.ObservedGeneration = d.Generation
	}
	n := func() int32 { return mostly(s.draw, *d.Spec.Replicas, 50, 0, 1, 2, 5) }
	st.Replicas, st.UpdatedReplicas, st.ReadyReplicas, st.AvailableReplicas = n(), n(), n(), n()
	if s.chance(10) {
		st.CollisionCount = new(s.some(0, 2))
	}
	if s.chance(40) {
		st.TerminatingReplicas = new(s.some(0, 2))
	}
	st.Conditions = s.conditions()
}

func (s *scene) conditions() []appsv1.DeploymentCondition {
	var all []appsv1.DeploymentCondition
	add := func(t appsv1.DeploymentConditionType, status corev1.ConditionStatus, reason string) {
		at := ago(pick(s.draw, 0, 5, 9, 10, 11, 300, 598, 599, 600, 601, 5000))
		all = append(all, appsv1.DeploymentCondition{Type: t, Status: status, Reason: reason, Message: "an older one", LastUpdateTime: at, LastTransitionTime: at})
	}
	if s.chance(60) {
		add(appsv1.DeploymentAvailable, corev1.ConditionTrue, "MinimumReplicasAvailable")
	} else if s.chance(50) {
		add(appsv1.DeploymentAvailable, corev1.ConditionFalse, "MinimumReplicasUnavailable")
	}
	if s.chance(75) {
		reason := pick(s.draw, "ReplicaSetUpdated", "NewReplicaSetAvailable", "NewReplicaSetCreated", "ProgressDeadlineExceeded",
			"DeploymentPaused", "DeploymentResumed", "FoundNewReplicaSet", "ReplicaSetCreateError")
		status := map[string]corev1.ConditionStatus{"ProgressDeadlineExceeded": "False", "ReplicaSetCreateError": "False", "DeploymentPaused": "Unknown", "DeploymentResumed": "Unknown"}[reason]
		if status == "" {
			status = corev1.ConditionTrue
		}
		add(appsv1.DeploymentProgressing, status, reason)
	}
	if s.chance(10) {
		add(appsv1.DeploymentReplicaFailure, corev1.ConditionTrue, "FailedCreate")
	}
	if s.chance(10) {
		add("Custom", corev1.ConditionTrue, "Other")
	}
	if s.chance(8) && len(all) > 0 { // the first of a type counts
		again := pick(s.draw, all...)
		again.Reason, again.Status = "Repeated", corev1.ConditionUnknown
		all = append(all, again)
	}
	return all
}
