package edge

import (
	"encoding/json"
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// Listener is a controller's event handlers, by the kind of their objects.
type Listener struct {
	watches map[string]watch
	queue   KeyQueue
}

// watch is one informer: what it calls, and what it caches.
type watch struct {
	handler handler
	store   cache.Store
}

// NewListener finds the handlers that a controller registered.
func NewListener(queue KeyQueue, informers map[string]Shared) Listener {
	l := Listener{map[string]watch{}, queue}
	for kind, informer := range informers {
		l.watches[kind] = watch{handlerOf(informer.SharedIndexInformer), informer.indexer}
	}
	return l
}

// Play lets the real event handlers see one event after the other, as an
// informer would: the cache has each change before the handler is called.
// memory is what is expected after each.
func (l Listener) Play(events []contract.Event, memory func() map[string]*contract.Expectations) ([]contract.EventRun, error) {
	runs := make([]contract.EventRun, 0, len(events))
	for i, ev := range events {
		l.queue.forget()
		if err := l.see(ev); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
		calls := l.queue.Recorded()
		sort.Strings(calls.Added)
		runs = append(runs, contract.EventRun{Added: calls.Added, After: calls.Later, Memory: memory()})
	}
	return runs, nil
}

// see changes the cache and calls the handler.
func (l Listener) see(ev contract.Event) error {
	was, err := decode(ev.Kind, ev.Old)
	if err != nil {
		return err
	}
	is, err := decode(ev.Kind, ev.New)
	if err != nil {
		return err
	}
	w, ok := l.watches[ev.Kind]
	if !ok {
		return fmt.Errorf("kind %q is not watched", ev.Kind)
	}
	switch ev.Type {
	case contract.EventAdded:
		err = w.store.Add(is)
		w.handler.call("OnAdd", is)
	case contract.EventUpdated:
		err = w.store.Update(is)
		w.handler.call("OnUpdate", was, is)
	case contract.EventDeleted:
		err = w.store.Delete(was)
		w.handler.call("OnDelete", was)
	case contract.EventMissed:
		err = w.store.Delete(was)
		key, _ := cache.MetaNamespaceKeyFunc(was)
		w.handler.call("OnDelete", cache.DeletedFinalStateUnknown{Key: key, Obj: was})
	default:
		return fmt.Errorf("unknown type %q", ev.Type)
	}
	return err
}

func decode(kind string, text json.RawMessage) (any, error) {
	var obj any
	switch kind {
	case contract.KindPod:
		obj = &corev1.Pod{}
	case contract.KindReplicaSet:
		obj = &appsv1.ReplicaSet{}
	case contract.KindReplicationController:
		obj = &corev1.ReplicationController{}
	case contract.KindDeployment:
		obj = &appsv1.Deployment{}
	case contract.KindStatefulSet:
		obj = &appsv1.StatefulSet{}
	default:
		return nil, fmt.Errorf("unknown kind %q", kind)
	}
	if len(text) == 0 {
		return nil, nil
	}
	return obj, json.Unmarshal(text, obj)
}
