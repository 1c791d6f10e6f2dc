package handlers

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// kruiseQuestion is a request drawn from a seed.
func kruiseQuestion(seed int) *kruiseRequest {
	d := &draw{Rand: rand.New(rand.NewPCG(uint64(seed), 8)), kind: view.CloneSets.Kind, sets: map[string]metav1.Object{}}
	req := &kruiseRequest{Memory: map[string]names{}, Gates: map[string]bool{
		kruise.EventHandlerOptimization: !d.one(3), kruise.VerticalScaling: d.one(3),
	}}
	for _, name := range []string{"web", "api"} {
		if d.one(5) {
			continue
		}
		set := d.cloneSet("shop", name)
		d.sets[keyOf("shop", name)] = set
		req.sets, req.Sets = append(req.sets, set), append(req.Sets, encode(set))
	}
	for _, key := range []string{"shop/web", "shop/api", "blog/web"} {
		req.Memory[key] = d.names()
	}
	for range length {
		req.Events = append(req.Events, d.kruiseEvent())
	}
	return req
}

func (d *draw) names() names {
	n := names{}
	for _, name := range []string{"p0", "p1", "p2", "c0"} {
		if d.one(3) {
			n.Create = append(n.Create, name)
		}
		if d.one(4) {
			n.Delete = append(n.Delete, name)
		}
	}
	return n
}

func (d *draw) kruiseEvent() contract.Event {
	if d.one(6) {
		return d.cloneSetEvent()
	}
	ev := contract.Event{Kind: view.Pods.Kind, Type: d.of("added", "added", "updated", "updated", "updated", "updated", "deleted", "missed")}
	var was, is metav1.Object
	if d.one(5) {
		ev.Kind = view.PersistentVolumeClaims.Kind
		was, is = d.claims()
	} else {
		was, is = d.pods()
	}
	if ev.Type != "added" {
		ev.Old = encode(was)
	}
	if ev.Type == "added" || ev.Type == "updated" {
		ev.New = encode(is)
	}
	return ev
}

// cloneSetEvent keeps to what can happen, as setEvent does.
func (d *draw) cloneSetEvent() contract.Event {
	name := d.of("web", "api")
	key, ev := keyOf("shop", name), contract.Event{Kind: d.kind}
	was, there := d.sets[key].(*unstructured.Unstructured)
	switch {
	case !there:
		ev.Type, d.sets[key] = "added", d.cloneSet("shop", name)
		ev.New = encode(d.sets[key])
	case d.one(4):
		ev.Type, ev.Old = d.of("deleted", "missed"), encode(was)
		delete(d.sets, key)
	default:
		ev.Type, ev.Old, d.sets[key] = "updated", encode(was), d.nextSet(was)
		ev.New = encode(d.sets[key])
	}
	return ev
}

// nextSet is a CloneSet after an update: a repetition, a status, another spec,
// one that is being deleted, or another one of the name.
func (d *draw) nextSet(was *unstructured.Unstructured) *unstructured.Unstructured {
	is := was.DeepCopy()
	if d.one(5) {
		return is
	}
	d.version++
	is.SetResourceVersion(strconv.Itoa(d.version))
	switch d.IntN(4) {
	case 0:
		is.Object["status"] = map[string]any{"replicas": int64(d.IntN(4))}
	case 1:
		is.Object["spec"] = d.cloneSetSpec()
		is.SetGeneration(was.GetGeneration() + 1)
	case 2:
		is.SetDeletionTimestamp(&metav1.Time{Time: epoch})
		is.SetGeneration(was.GetGeneration() + 1)
	default:
		return d.cloneSet(was.GetNamespace(), was.GetName())
	}
	return is
}

func (d *draw) cloneSet(ns, name string) *unstructured.Unstructured {
	d.version++
	set := unstructuredSet()
	set.Object["spec"] = d.cloneSetSpec()
	set.SetName(name)
	set.SetNamespace(ns)
	set.SetUID(types.UID(name + d.of("-1", "-1", "-2")))
	set.SetGeneration(1)
	set.SetResourceVersion(strconv.Itoa(d.version))
	return set
}

// cloneSetSpec has selectors that match nothing, everything or some, or that
// are invalid, and hooks with finalizers.
func (d *draw) cloneSetSpec() map[string]any {
	spec := map[string]any{"replicas": int64(d.IntN(3)), "selector": map[string]any{"matchLabels": map[string]any{"app": d.of("web", "api")}}}
	switch d.IntN(12) {
	case 0:
		delete(spec, "selector")
	case 1:
		spec["selector"] = map[string]any{}
	case 2:
		spec["selector"] = map[string]any{"matchExpressions": []any{map[string]any{"key": "app", "operator": "Is"}}}
	}
	hooks := map[string]any{}
	for _, name := range []string{"preDelete", "inPlaceUpdate", "preNormal"} {
		if d.one(2) {
			hooks[name] = map[string]any{"finalizersHandler": []any{d.finalizer(), d.finalizer()}}
		}
	}
	if !d.one(4) {
		spec["lifecycle"] = hooks
	}
	return spec
}

func (d *draw) finalizer() string { return d.of("example.com/a", "example.com/b", "example.com/c") }

func (d *draw) finalizers() (all []string) {
	for range d.IntN(3) {
		all = append(all, d.finalizer())
	}
	return all
}

func (d *draw) claims() (was, is metav1.Object) {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: d.pod().ObjectMeta}
	claim.Name = d.of("c0", "c1")
	d.claimed(claim)
	next := claim.DeepCopy()
	if d.one(2) {
		next.DeletionTimestamp = &metav1.Time{Time: epoch}
	}
	if d.one(2) {
		d.claimed(next)
	}
	return claim, next
}

// pods are a pod and what an update makes of it.
func (d *draw) pods() (was, is *corev1.Pod) {
	p := d.pod()
	p.Generation = 1
	if !d.one(3) {
		p.DeletionTimestamp = nil
	}
	d.claimed(p)
	d.labelled(p)
	d.running(p)
	d.recorded(p)
	d.opened(p)
	p.Finalizers = d.finalizers()
	return p, d.nextPod(p)
}

// nextPod is a pod after an update that changes one thing, or nothing.
func (d *draw) nextPod(was *corev1.Pod) *corev1.Pod {
	is := was.DeepCopy()
	if d.one(12) {
		return is // a resync
	}
	d.version++
	is.ResourceVersion = strconv.Itoa(d.version)
	changes := []func(*corev1.Pod){
		d.labelled, d.running, d.recorded, d.opened,
		func(p *corev1.Pod) { d.claimed(p) },
		func(p *corev1.Pod) { p.Generation++ },
		func(p *corev1.Pod) { p.Finalizers = d.finalizers() },
		func(p *corev1.Pod) { p.Status.Conditions[0] = d.ready()[0] },
		func(p *corev1.Pod) { p.Status.Phase = corev1.PodPhase(d.of("Running", "Succeeded", "Failed")) },
		func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: epoch} },
		func(p *corev1.Pod) { p.Status.Message = "changed" },
	}
	changes[d.IntN(len(changes))](is)
	return is
}

// labelled gives a pod labels, often with a state.
func (d *draw) labelled(p *corev1.Pod) {
	if p.Labels = d.labels(); p.Labels == nil || d.one(4) {
		return
	}
	p.Labels["lifecycle.apps.kruise.io/state"] = d.of("Normal", "Normal", "Updating", "Updated", "PreparingUpdate")
}

// running gives a pod a container, before or after an update in place, or none.
func (d *draw) running(p *corev1.Pod) {
	p.Status.Phase, p.Spec.Containers, p.Status.ContainerStatuses = corev1.PodRunning, nil, nil
	if d.one(8) {
		return
	}
	asked, given := d.resources(), d.resources()
	p.Spec.Containers = []corev1.Container{{Name: "main", Image: d.of("web:2", "web:2", "web"), Resources: *asked}}
	if d.one(8) {
		return
	}
	if d.one(2) {
		given = asked
	}
	status := corev1.ContainerStatus{Name: "main", Image: d.of("web:1", "web:2", "web:latest"), ImageID: d.of("old", "new"), Resources: given}
	if d.one(6) {
		status.Resources = nil
	}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{status}
}

func (d *draw) resources() *corev1.ResourceRequirements {
	return &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(d.of("1", "1000m", "2"))}}
}

// recorded gives a pod the record of an update in place, readable or not, and
// what kruise-daemon reports.
func (d *draw) recorded(p *corev1.Pod) {
	p.Annotations = map[string]string{}
	if d.one(6) {
		p.Annotations["apps.kruise.io/runtime-containers-meta"] = `{"containers":[]}`
	}
	key := d.of("apps.kruise.io/inplace-update-state", "apps.kruise.io/inplace-update-state", "inplace-update-state")
	switch d.IntN(8) {
	case 0, 1:
	case 2:
		p.Annotations[key] = d.of("", "{", `{"lastContainerStatuses":[]}`)
	default:
		p.Annotations[key] = fmt.Sprintf(
			`{"revision":"r","updateTimestamp":"2000-01-01T00:00:00Z","lastContainerStatuses":{%s},"updateEnvFromMetadata":%t,"updateResources":%t}`,
			d.of(`"main":{"imageID":"old"}`, `"main":{"imageID":"old"}`, `"main":{"imageID":"old"},"side":{"imageID":"x"}`, ""), d.one(6), d.one(3))
	}
}

// opened gives a pod the readiness gate of updates in place, and its condition.
func (d *draw) opened(p *corev1.Pod) {
	p.Spec.ReadinessGates = nil
	if !d.one(3) {
		p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "InPlaceUpdateReady"}}
	}
	p.Status.Conditions = p.Status.Conditions[:1]
	if !d.one(4) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "InPlaceUpdateReady", Status: corev1.ConditionStatus(d.of("True", "False", "Unknown"))})
	}
}

// claimed gives an object a controller: a CloneSet in any version, something
// else, or nobody.
func (d *draw) claimed(obj metav1.Object) {
	name := d.of("web", "api")
	ref := metav1.OwnerReference{APIVersion: "apps.kruise.io/" + d.of("v1alpha1", "v1beta1"), Kind: d.of("CloneSet", "CloneSet", "CloneSet", "CloneSet", "CloneSet", "StatefulSet"), Name: name, UID: types.UID(name + "-1"), Controller: new(true)}
	if d.one(10) {
		ref.APIVersion = d.of("apps/v1", "a/b/c")
	}
	if obj.SetOwnerReferences([]metav1.OwnerReference{ref}); d.one(4) {
		obj.SetOwnerReferences(nil)
	}
}
