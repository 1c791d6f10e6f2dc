package handlers

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// length is how many events one request has.
const length = 40

// draw makes events.
type draw struct {
	*rand.Rand
	kind string
	// sets are those in the cache, by key.
	sets    map[string]metav1.Object
	version int
}

// question is a request drawn from a seed.
func question(seed int) *contract.Request {
	d := &draw{Rand: rand.New(rand.NewPCG(uint64(seed), 7)), kind: contract.KindReplicaSet, sets: map[string]metav1.Object{}}
	if d.IntN(4) == 0 {
		d.kind = contract.KindReplicationController
	}
	req := &contract.Request{Op: contract.OpEvents, Kind: d.kind, Memory: map[string]*contract.Expectations{}}
	for range length {
		req.Events = append(req.Events, d.event())
	}
	for _, key := range []string{"shop/web", "shop/api", "blog/web", "blog/api"} {
		req.Memory[key] = d.expected()
	}
	return req
}

func (d *draw) of(words ...string) string { return words[d.IntN(len(words))] }
func (d *draw) one(in int) bool           { return d.IntN(in) == 0 }

// expected is nothing, or some creations and deletions.
func (d *draw) expected() *contract.Expectations {
	if d.one(4) {
		return nil
	}
	e := &contract.Expectations{Adds: int64(d.IntN(4)), Dels: int64(d.IntN(4)), DeleteKeys: []string{}}
	for _, pod := range []string{"shop/p0", "shop/p1", "shop/p2", "blog/p0"} {
		if d.one(2) {
			e.DeleteKeys = append(e.DeleteKeys, pod)
		}
	}
	return e
}

func (d *draw) event() contract.Event {
	if len(d.sets) < 2 || d.one(5) {
		return d.setEvent()
	}
	was := d.pod()
	ev := contract.Event{Kind: "Pod", Type: d.of("added", "added", "updated", "updated", "updated", "deleted", "missed")}
	switch ev.Type {
	case "added":
		ev.New = encode(was)
	case "updated":
		is := d.next(was)
		ev.Old, ev.New = encode(was), encode(is)
	default:
		ev.Old = encode(was)
	}
	return ev
}

// setEvent keeps to what can happen: what is there is not added again.
func (d *draw) setEvent() contract.Event {
	ns, name := d.of("shop", "shop", "blog"), d.of("web", "api")
	key := ns + "/" + name
	was, ev := d.sets[key], contract.Event{Kind: d.kind}
	switch {
	case was == nil:
		ev.Type, d.sets[key] = "added", d.set(ns, name)
		ev.New = encode(d.sets[key])
	case d.one(3):
		ev.Type, ev.Old = d.of("deleted", "missed"), encode(was)
		delete(d.sets, key)
	default:
		ev.Type, ev.Old, d.sets[key] = "updated", encode(was), d.set(ns, name)
		if d.one(3) { // a resync
			d.sets[key] = was
		}
		ev.New = encode(d.sets[key])
	}
	return ev
}

func (d *draw) meta(ns, name, uid string) metav1.ObjectMeta {
	d.version++
	return metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID(uid), ResourceVersion: fmt.Sprint(d.version)}
}

// set is sometimes another one of the name, and its selector may match
// nothing, everything or what others match, or be invalid.
func (d *draw) set(ns, name string) metav1.Object {
	meta := d.meta(ns, name, name+d.of("-1", "-1", "-1", "-2"))
	minReady := int32(d.IntN(2) * 10)
	labels := map[string]string{d.of("app", "tier"): d.of("web", "api", "front")}
	if d.one(8) {
		labels = nil
	}
	if d.kind == contract.KindReplicationController {
		rc := &corev1.ReplicationController{ObjectMeta: meta}
		rc.Spec = corev1.ReplicationControllerSpec{Replicas: new(int32(d.IntN(3))), MinReadySeconds: minReady, Selector: labels, Template: &corev1.PodTemplateSpec{}}
		return rc
	}
	rs := &appsv1.ReplicaSet{ObjectMeta: meta}
	rs.Spec = appsv1.ReplicaSetSpec{Replicas: new(int32(d.IntN(3))), MinReadySeconds: minReady, Selector: &metav1.LabelSelector{MatchLabels: labels}}
	if d.one(8) {
		rs.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Is"}}
	}
	return rs
}

func (d *draw) pod() *corev1.Pod {
	ns := d.of("shop", "shop", "shop", "blog")
	p := &corev1.Pod{ObjectMeta: d.meta(ns, d.of("p0", "p1", "p2"), "pod")}
	d.dress(p)
	return p
}

// next is the pod after an update, of which some change little.
func (d *draw) next(was *corev1.Pod) *corev1.Pod {
	is := was.DeepCopy()
	if d.one(6) {
		return is // a resync
	}
	d.version++
	is.ResourceVersion = fmt.Sprint(d.version)
	switch d.IntN(4) {
	case 0:
		d.dress(is)
	case 1:
		is.Labels = d.labels()
	case 2:
		is.OwnerReferences = d.owner()
	case 3:
		is.Status.Conditions = d.ready()
	}
	return is
}

func (d *draw) dress(p *corev1.Pod) {
	p.Labels, p.OwnerReferences, p.Status.Conditions = d.labels(), d.owner(), d.ready()
	if d.one(5) {
		p.DeletionTimestamp = &metav1.Time{Time: epoch}
	}
}

func (d *draw) labels() map[string]string {
	if d.one(6) {
		return nil
	}
	return map[string]string{"app": d.of("web", "api"), "tier": d.of("front", "back")}
}

// owner is nobody, a set, one of its name but not its UID, or something else.
func (d *draw) owner() []metav1.OwnerReference {
	if d.one(3) {
		return nil
	}
	name := d.of("web", "api")
	ref := metav1.OwnerReference{APIVersion: "apps/v1", Kind: d.kind, Name: name, UID: types.UID(name + d.of("-1", "-1", "-1", "-2")), Controller: new(!d.one(8))}
	switch {
	case d.one(10):
		ref.Kind = d.of("ReplicaSet", "ReplicationController", "Job")
	case d.one(10):
		ref.APIVersion = "example.com/v1"
	}
	return []metav1.OwnerReference{ref}
}

func (d *draw) ready() []corev1.PodCondition {
	return []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionStatus(d.of("True", "False"))}}
}

func encode(obj any) json.RawMessage {
	text, err := json.Marshal(obj)
	if err != nil {
		panic(err) // objects of these types encode
	}
	return text
}

// describe is an event in a few words and its objects.
func describe(ev contract.Event) string {
	return strings.Join([]string{ev.Kind, ev.Type, string(ev.Old), "→", string(ev.New)}, " ")
}
