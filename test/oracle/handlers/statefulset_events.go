package handlers

import (
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// statefulSetQuestion is a request drawn from a seed.
func statefulSetQuestion(seed int) *contract.Request {
	s := &scene{draw{Rand: rand.New(rand.NewPCG(uint64(seed), 10))}, statefulSetKinds.caches()}
	req := &contract.Request{Op: contract.OpEvents, Kind: contract.KindStatefulSet}
	for range length {
		req.Events = append(req.Events, s.ordinalEvent())
	}
	return req
}

// ordinalEvent is mostly about Pods, once there are owners.
func (s *scene) ordinalEvent() contract.Event {
	if len(s.there[contract.KindStatefulSet]) == 0 || s.one(8) {
		return s.change(contract.KindStatefulSet, s.of("web", "api"), s.statefulSet)
	}
	return s.change(contract.KindPod, s.of("web-0", "web-1", "api-0", "p0"), s.ordinalPod)
}

func (s *scene) statefulSet(meta metav1.ObjectMeta) metav1.Object {
	set := &appsv1.StatefulSet{ObjectMeta: meta}
	set.UID = s.younger(meta.Name)
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{s.of("app", "app", "tier"): s.of("web", "web", "api", "front")}}
	if s.one(2) {
		set.Spec.MinReadySeconds = int32(s.IntN(9) + 1)
	}
	switch {
	case s.one(12):
		set.Spec.Selector.MatchLabels = nil
	case s.one(12):
		set.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Is"}}
	}
	return set
}

func (s *scene) ordinalPod(meta metav1.ObjectMeta) metav1.Object {
	p := &corev1.Pod{ObjectMeta: meta}
	p.UID, p.Labels = types.UID(meta.Name), s.labels()
	p.OwnerReferences = s.ownedBy(contract.KindStatefulSet, s.of("web", "web", "api"))
	p.Status.Phase = corev1.PodPhase(s.of("Running", "Pending"))
	if s.one(2) {
		ready := corev1.ConditionStatus(s.of("True", "True", "False"))
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
	}
	if s.one(8) {
		p.DeletionTimestamp = &metav1.Time{Time: epoch}
	}
	return p
}
