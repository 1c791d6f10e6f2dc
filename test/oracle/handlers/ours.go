package handlers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// epoch is the instant of every request.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// ours are our handlers with the memory that they change.
type ours struct {
	kind    view.Kind
	handle  handlers.Handle
	profile profile.Profile
	sets    map[string]metav1.Object
	memory  expectations.UIDTracking
	// fired counts the branches taken.
	fired map[string]int
}

func newOurs(p profile.Profile, req *contract.Request, fired map[string]int) *ours {
	o := &ours{kind: view.ReplicaSets, profile: p, sets: map[string]metav1.Object{}, memory: expectations.NewUIDTracking(clocktesting.NewFakePassiveClock(epoch)), fired: fired}
	if req.Kind == contract.KindReplicationController {
		o.kind = view.ReplicationControllers
	}
	o.handle = replicaset.Handle(o.kind)
	for key, e := range req.Memory {
		if e != nil {
			o.memory.ExpectDeletions(key, e.DeleteKeys)
			o.memory.Set(key, e.Adds, e.Dels)
		}
	}
	return o
}

// Get, In and Satisfied make ours a handlers.Cluster.
func (o *ours) Get(k view.Kind, namespace, name string) (metav1.Object, bool) {
	obj, ok := o.sets[namespace+"/"+name]
	return obj, ok && k.Kind == o.kind.Kind
}

func (o *ours) In(_ view.Kind, namespace string) []metav1.Object {
	var all []metav1.Object
	for _, obj := range o.sets {
		if obj.GetNamespace() == namespace {
			all = append(all, obj)
		}
	}
	return all
}

func (o *ours) Satisfied(t view.Target) bool { return o.memory.Satisfied(keyOf(t.Namespace, t.Name)) }

func keyOf(namespace, name string) string { return namespace + "/" + name }

// see takes one event and tells what it did.
func (o *ours) see(ev contract.Event, keys []string) (contract.EventRun, error) {
	event, err := o.decode(ev)
	if err != nil {
		return contract.EventRun{}, err
	}
	o.cache(event)
	run := contract.EventRun{Memory: map[string]*contract.Expectations{}}
	for _, e := range o.handle(o, o.profile, event) {
		o.fired[e.Rule]++
		o.apply(e, &run)
	}
	slices.Sort(run.Added)
	for _, key := range keys {
		if r := o.memory.Get(key); r != nil {
			run.Memory[key] = &contract.Expectations{Adds: r.Adds, Dels: r.Dels, DeleteKeys: slices.Sorted(maps.Keys(r.Keys))}
		}
	}
	return run, nil
}

func (o *ours) apply(e handlers.Effect, run *contract.EventRun) {
	key := keyOf(e.Target.Namespace, e.Target.Name)
	switch e.Observed {
	case handlers.Creation:
		o.memory.CreationObserved(key)
	case handlers.Deletion:
		o.memory.DeletionObserved(key, keyOf(e.Of.GetNamespace(), e.Of.GetName()))
	case handlers.Forget:
		o.memory.Delete(key)
	}
	switch {
	case e.Enqueue && e.After > 0:
		run.After = append(run.After, fmt.Sprint(key, " ", e.After))
	case e.Enqueue:
		run.Added = append(run.Added, key)
	}
}

// cache is what the informer does before it calls a handler.
func (o *ours) cache(ev handlers.Event) {
	switch {
	case ev.Kind.Kind == view.Pods.Kind:
	case ev.Type == handlers.Deleted:
		delete(o.sets, keyOf(ev.Old.GetNamespace(), ev.Old.GetName()))
	default:
		o.sets[keyOf(ev.New.GetNamespace(), ev.New.GetName())] = ev.New
	}
}

// typeOf is the handler that an event calls.
var typeOf = map[string]handlers.Type{
	contract.EventAdded: handlers.Added, contract.EventUpdated: handlers.Updated,
	contract.EventDeleted: handlers.Deleted, contract.EventMissed: handlers.Deleted,
}

func (o *ours) decode(ev contract.Event) (out handlers.Event, err error) {
	out.Kind = o.kind
	switch ev.Kind {
	case view.Pods.Kind:
		out.Kind = view.Pods
	case view.PersistentVolumeClaims.Kind:
		out.Kind = view.PersistentVolumeClaims
	}
	out.Type = typeOf[ev.Type]
	if ev.Old != nil {
		if out.Old, err = o.object(ev.Kind, ev.Old); err != nil {
			return out, err
		}
	}
	if ev.New != nil {
		out.New, err = o.object(ev.Kind, ev.New)
	}
	return out, err
}

func (o *ours) object(kind string, text []byte) (metav1.Object, error) {
	var obj metav1.Object = &corev1.Pod{}
	switch kind {
	case contract.KindReplicaSet:
		obj = &appsv1.ReplicaSet{}
	case contract.KindReplicationController:
		obj = &corev1.ReplicationController{}
	case view.PersistentVolumeClaims.Kind:
		obj = &corev1.PersistentVolumeClaim{}
	case view.CloneSets.Kind:
		obj = unstructuredSet()
	}
	return obj, json.Unmarshal(text, obj)
}
