package handlers

import (
	"fmt"
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// scene makes events that can follow each other: what is there is not added
// again, what is not is neither updated nor deleted.
type scene struct {
	draw
	// there are the cached objects by kind and key.
	there map[string]map[string]metav1.Object
}

// deploymentQuestion is a request drawn from a seed.
func deploymentQuestion(seed int) *contract.Request {
	s := &scene{draw{Rand: rand.New(rand.NewPCG(uint64(seed), 9))}, deploymentKinds.caches()}
	req := &contract.Request{Op: contract.OpEvents, Kind: contract.KindDeployment}
	for range length {
		req.Events = append(req.Events, s.event())
	}
	return req
}

// event is mostly about Pods, once there are owners.
func (s *scene) event() contract.Event {
	switch deployments, sets := len(s.there[contract.KindDeployment]), len(s.there[contract.KindReplicaSet]); {
	case deployments == 0 || s.one(12):
		return s.change(contract.KindDeployment, s.of("web", "api"), s.deployment)
	case sets < 2 || s.one(4):
		return s.change(contract.KindReplicaSet, s.of("web-a", "web-b", "api-a"), s.replicaSet)
	default:
		return s.change(contract.KindPod, s.of("p0", "p1", "p2", "p3"), s.dependentPod)
	}
}

// change adds, updates, resyncs or deletes the object of a name.
func (s *scene) change(kind, name string, draw func(metav1.ObjectMeta) metav1.Object) contract.Event {
	ns := s.of("shop", "shop", "shop", "blog")
	key, ev := keyOf(ns, name), contract.Event{Kind: kind}
	was := s.there[kind][key]
	if was == nil {
		ev.Type, s.there[kind][key] = "added", draw(s.meta(ns, name, ""))
		ev.New = encode(s.there[kind][key])
		return ev
	}
	ev.Old = encode(was)
	if s.one(2) && (kind == contract.KindPod || s.one(2)) {
		ev.Type = s.of("deleted", "deleted", "missed")
		delete(s.there[kind], key)
		return ev
	}
	ev.Type = "updated"
	if !s.one(6) { // else a resync
		s.there[kind][key] = s.next(was, draw)
	}
	ev.New = encode(s.there[kind][key])
	return ev
}

// next changes all, or nothing but labels, owner or version.
func (s *scene) next(was metav1.Object, draw func(metav1.ObjectMeta) metav1.Object) metav1.Object {
	is := draw(s.meta(was.GetNamespace(), was.GetName(), ""))
	switch s.IntN(4) {
	case 0:
		return is
	case 1:
		is.SetOwnerReferences(was.GetOwnerReferences())
	case 2:
		is.SetLabels(was.GetLabels())
	case 3:
		is.SetLabels(was.GetLabels())
		is.SetOwnerReferences(was.GetOwnerReferences())
		is.SetUID(was.GetUID())
	}
	return is
}

// younger is the UID of an object, of which some are the second of their name.
func (s *scene) younger(name string) types.UID {
	return types.UID(name + s.of("-1", "-1", "-1", "-1", "-2"))
}

func (s *scene) deployment(meta metav1.ObjectMeta) metav1.Object {
	d := &appsv1.Deployment{ObjectMeta: meta}
	d.UID = s.younger(meta.Name)
	d.Spec.Strategy.Type = appsv1.DeploymentStrategyType(s.of("Recreate", "Recreate", "Recreate", "RollingUpdate"))
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{s.of("app", "app", "tier"): s.of("web", "web", "api", "front")}}
	switch {
	case s.one(12):
		d.Spec.Selector = nil
	case s.one(12):
		d.Spec.Selector.MatchLabels = nil
	case s.one(12):
		d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Is"}}
	}
	return d
}

func (s *scene) replicaSet(meta metav1.ObjectMeta) metav1.Object {
	rs := &appsv1.ReplicaSet{ObjectMeta: meta}
	owner := s.of("web", "web", "api")
	rs.UID, rs.Labels = s.younger(meta.Name), s.matching(owner)
	rs.OwnerReferences = s.ownedBy(contract.KindDeployment, owner)
	if s.one(8) {
		rs.DeletionTimestamp = &metav1.Time{Time: epoch}
	}
	return rs
}

func (s *scene) dependentPod(meta metav1.ObjectMeta) metav1.Object {
	p := &corev1.Pod{ObjectMeta: meta}
	p.UID, p.Labels = types.UID(meta.Name), s.matching(s.of("web", "web", "api"))
	p.OwnerReferences = s.ownedBy(contract.KindReplicaSet, s.of("web-a", "web-a", "web-b", "api-a"))
	p.Status.Phase = corev1.PodPhase(s.of("Running", "Succeeded"))
	return p
}

// matching are mostly labels that a cached Deployment's selector matches.
func (s *scene) matching(name string) map[string]string {
	d, ok := s.there[contract.KindDeployment][keyOf("shop", name)].(*appsv1.Deployment)
	if !ok || d.Spec.Selector == nil || s.one(4) {
		return s.labels()
	}
	return d.Spec.Selector.MatchLabels
}

// ownedBy is a reference to an object of the cache, if there is one, of which
// now and then one word is wrong.
func (s *scene) ownedBy(kind, name string) []metav1.OwnerReference {
	if s.one(6) {
		return nil
	}
	ref := metav1.OwnerReference{APIVersion: "apps/v1", Kind: kind, Name: name, UID: s.uidOf(kind, name), Controller: new(!s.one(10))}
	switch s.IntN(16) {
	case 0:
		ref.Kind = s.of("ReplicaSet", "Deployment", "Job")
	case 1:
		ref.Name = s.of("web", "api", "web-b")
	case 2:
		ref.UID = s.younger(name)
	case 3:
		ref.APIVersion = "example.com/v1"
	}
	return []metav1.OwnerReference{ref}
}

// uidOf is that of a cached object of the name.
func (s *scene) uidOf(kind, name string) types.UID {
	for _, ns := range []string{"shop", "blog"} {
		if obj := s.there[kind][keyOf(ns, name)]; obj != nil {
			return obj.GetUID()
		}
	}
	return types.UID(fmt.Sprint(name, "-1"))
}
