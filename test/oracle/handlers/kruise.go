package handlers

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// kruiseRequest is what package events of the kruise driver reads.
type kruiseRequest struct {
	Sets   []json.RawMessage `json:"sets"`
	Memory map[string]names  `json:"memory"`
	Events []contract.Event  `json:"events"`

	sets []metav1.Object
}

type names struct {
	Create []string `json:"create"`
	Delete []string `json:"delete"`
}

// kruiseRun is what it answers to each event.
type kruiseRun struct {
	Added  []string         `json:"added,omitempty"`
	After  []string         `json:"after,omitempty"`
	Memory map[string]names `json:"memory"`
}

// kruiseQuestion is a request drawn from a seed.
func kruiseQuestion(seed int) *kruiseRequest {
	d := &draw{Rand: rand.New(rand.NewPCG(uint64(seed), 8)), kind: view.CloneSets.Kind}
	req := &kruiseRequest{Memory: map[string]names{}}
	for _, key := range []string{"web", "api"} {
		if d.one(5) {
			continue
		}
		set := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
			"replicas": int64(1), "selector": map[string]any{"matchLabels": map[string]any{"app": d.of("web", "api")}},
		}}}
		set.SetGroupVersionKind(view.CloneSets.GroupVersionKind)
		set.SetName(key)
		set.SetNamespace("shop")
		set.SetUID(types.UID(key + "-1"))
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
	ev := contract.Event{Kind: "Pod", Type: d.of("added", "added", "updated", "updated", "deleted")}
	var was, is metav1.Object
	if pod := d.pod(); d.one(3) {
		ev.Kind = view.PersistentVolumeClaims.Kind
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: pod.ObjectMeta}
		claim.Name = d.of("c0", "c1")
		next := claim.DeepCopy()
		if d.one(2) {
			next.DeletionTimestamp = &metav1.Time{Time: epoch}
		}
		was, is = claim, next
	} else {
		was, is = pod, d.next(pod)
	}
	d.claimed(was)
	if d.one(2) {
		is.SetOwnerReferences(was.GetOwnerReferences())
	} else {
		d.claimed(is)
	}
	if ev.Type != "added" {
		ev.Old = encode(was)
	}
	if ev.Type != "deleted" {
		ev.New = encode(is)
	}
	return ev
}

// claimed gives an object a controller: a CloneSet in any version, something
// else, or nobody.
func (d *draw) claimed(obj metav1.Object) {
	name := d.of("web", "api")
	ref := metav1.OwnerReference{APIVersion: "apps.kruise.io/" + d.of("v1alpha1", "v1beta1"), Kind: d.of("CloneSet", "CloneSet", "CloneSet", "StatefulSet"), Name: name, UID: types.UID(name + "-1"), Controller: ptr.To(true)}
	if d.one(10) {
		ref.APIVersion = d.of("apps/v1", "a/b/c")
	}
	if obj.SetOwnerReferences([]metav1.OwnerReference{ref}); d.one(3) {
		obj.SetOwnerReferences(nil)
	}
}

// kruiseOurs are our handlers with the memory that they change.
type kruiseOurs struct {
	ours
	memory *expectations.Scale
}

func newKruise(p profile.Profile, req *kruiseRequest, fired map[string]int) *kruiseOurs {
	o := &kruiseOurs{ours: ours{kind: view.CloneSets, handle: cloneset.Handle(view.CloneSets), profile: p, sets: map[string]metav1.Object{}, fired: fired}}
	for _, set := range req.sets {
		o.sets[keyOf(set.GetNamespace(), set.GetName())] = set
	}
	o.memory = expectations.NewScale(clocktesting.NewFakePassiveClock(epoch))
	for key, n := range req.Memory {
		for _, name := range n.Create {
			o.memory.Expect(key, expectations.ScaleCreate, name)
		}
		for _, name := range n.Delete {
			o.memory.Expect(key, expectations.ScaleDelete, name)
		}
	}
	return o
}

// Satisfied replaces that of the ReplicaSets' memory.
func (o *kruiseOurs) Satisfied(t view.Target) bool {
	satisfied, _ := o.memory.Satisfied(keyOf(t.Namespace, t.Name))
	return satisfied
}

func (o *kruiseOurs) see(ev contract.Event, keys []string) (kruiseRun, error) {
	event, err := o.decode(ev)
	if err != nil {
		return kruiseRun{}, err
	}
	run := kruiseRun{Memory: map[string]names{}}
	for _, e := range o.handle(o, o.profile, event) {
		o.fired[e.Rule]++
		o.apply(e, &run)
	}
	slices.Sort(run.Added)
	for _, key := range keys {
		if r := o.memory.Get(key); r != nil {
			creates, deletes := r.Outstanding()
			run.Memory[key] = names{creates, deletes}
		}
	}
	return run, nil
}

func (o *kruiseOurs) apply(e handlers.Effect, run *kruiseRun) {
	key := keyOf(e.Target.Namespace, e.Target.Name)
	switch e.Observed {
	case handlers.Creation:
		o.memory.Observe(key, expectations.ScaleCreate, e.Of.GetName())
	case handlers.Deletion:
		o.memory.Observe(key, expectations.ScaleDelete, e.Of.GetName())
	}
	switch {
	case e.Enqueue && e.After > 0:
		run.After = append(run.After, fmt.Sprint(key, " ", e.After))
	case e.Enqueue:
		run.Added = append(run.Added, key)
	}
}

func showKruise(r kruiseRun) string {
	text := fmt.Sprint("adds ", r.Added, " later ", r.After)
	for _, key := range slices.Sorted(maps.Keys(r.Memory)) {
		text += fmt.Sprint("; ", key, " ", r.Memory[key].Create, " ", r.Memory[key].Delete)
	}
	return text
}
