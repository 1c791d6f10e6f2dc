package states

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The labels of states. Pods labelled web belong to the target, old to siblings.
const (
	labelApp  = "app"
	labelTier = "tier"
	web       = "web"
	old       = "old"
)

func byApp(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{labelApp: app}}
}

func where(key string, op metav1.LabelSelectorOperator, values ...string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: op, Values: values}}}
}

func validSelectors() []*metav1.LabelSelector {
	return []*metav1.LabelSelector{
		where(labelApp, metav1.LabelSelectorOpIn, web, "site"),
		where(labelApp, metav1.LabelSelectorOpExists),
		where(labelTier, metav1.LabelSelectorOpNotIn, "back"),
		where(labelTier, metav1.LabelSelectorOpDoesNotExist),
		{MatchLabels: map[string]string{labelApp: web, labelTier: "front"}},
		{},
		nil,
	}
}

func invalidSelectors() []*metav1.LabelSelector {
	return []*metav1.LabelSelector{
		where(labelApp, "Is", web),
		where(labelApp, metav1.LabelSelectorOpIn),
		where(labelApp, metav1.LabelSelectorOpExists, web),
		byApp("not a label value"),
	}
}

// selector is mostly that of app; a ReplicationController has only pairs.
func (s *scene) selector(app string, unusual int) *metav1.LabelSelector {
	if !s.chance(unusual) {
		return byApp(app)
	}
	if s.isRC() {
		return pick(s.draw, byApp("not a label value"), byApp(app), nil,
			&metav1.LabelSelector{MatchLabels: map[string]string{labelApp: app, labelTier: "front"}})
	}
	if s.chance(25) {
		return pick(s.draw, invalidSelectors()...)
	}
	if s.chance(40) {
		return pick(s.draw, combined()...)
	}
	return pick(s.draw, validSelectors()...)
}

// asRC is the ReplicationController that the shared controller would see as rs.
func (s *scene) asRC(rs *appsv1.ReplicaSet) *corev1.ReplicationController {
	rc := &corev1.ReplicationController{
		ObjectMeta: rs.ObjectMeta,
		Spec: corev1.ReplicationControllerSpec{
			Replicas: rs.Spec.Replicas, MinReadySeconds: rs.Spec.MinReadySeconds, Template: &rs.Spec.Template,
		},
		Status: corev1.ReplicationControllerStatus{
			Replicas: rs.Status.Replicas, FullyLabeledReplicas: rs.Status.FullyLabeledReplicas,
			ReadyReplicas: rs.Status.ReadyReplicas, AvailableReplicas: rs.Status.AvailableReplicas,
			ObservedGeneration: rs.Status.ObservedGeneration,
		},
	}
	if rs.Spec.Selector != nil {
		rc.Spec.Selector = rs.Spec.Selector.MatchLabels
	}
	for _, c := range rs.Status.Conditions {
		rc.Status.Conditions = append(rc.Status.Conditions, corev1.ReplicationControllerCondition{
			Type: corev1.ReplicationControllerConditionType(c.Type), Status: c.Status,
			LastTransitionTime: c.LastTransitionTime, Reason: c.Reason, Message: c.Message,
		})
	}
	return rc
}
