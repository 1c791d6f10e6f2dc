package driver

import (
	"encoding/json"
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// answerEvents lets the real event handlers see one event after the other, as
// an informer would: the cache has each change before the handler is called.
func (o *oracle) answerEvents(req *contract.Request, resp *contract.Response) error {
	c, err := o.controllerFor(req.Kind)
	if err != nil {
		return err
	}
	if err := c.fill(setObjects(req), nil); err != nil {
		return err
	}
	for key, expected := range req.Memory {
		if err := c.expectations.reset(key, expected, 0); err != nil {
			return err
		}
	}
	for i, ev := range req.Events {
		c.queue.forget()
		if err := c.see(ev); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		resp.Events = append(resp.Events, c.eventRun(req))
	}
	return nil
}

func (c *controller) eventRun(req *contract.Request) contract.EventRun {
	calls := c.queue.recorded()
	run := contract.EventRun{Added: calls.added, After: calls.later, Memory: map[string]*contract.Expectations{}}
	sort.Strings(run.Added)
	for key := range req.Memory {
		if seen := c.expectations.read(key); seen != nil {
			run.Memory[key] = seen
		}
	}
	return run
}

// see changes the cache and calls the handler.
func (c *controller) see(ev contract.Event) error {
	was, err := decodeEvent(ev.Kind, ev.Old)
	if err != nil {
		return err
	}
	is, err := decodeEvent(ev.Kind, ev.New)
	if err != nil {
		return err
	}
	h := c.handlers[ev.Kind]
	inCache := func(change func(any) error, obj any) error {
		if ev.Kind == "Pod" {
			return nil // handlers look up sets alone
		}
		return change(obj)
	}
	switch ev.Type {
	case contract.EventAdded:
		err = inCache(c.sets.Add, is)
		h.call("OnAdd", is)
	case contract.EventUpdated:
		err = inCache(c.sets.Update, is)
		h.call("OnUpdate", was, is)
	case contract.EventDeleted:
		err = inCache(c.sets.Delete, was)
		h.call("OnDelete", was)
	case contract.EventMissed:
		err = inCache(c.sets.Delete, was)
		key, _ := cache.MetaNamespaceKeyFunc(was)
		h.call("OnDelete", cache.DeletedFinalStateUnknown{Key: key, Obj: was})
	default:
		return fmt.Errorf("unknown type %q", ev.Type)
	}
	return err
}

func decodeEvent(kind string, text json.RawMessage) (any, error) {
	var obj any
	switch kind {
	case "Pod":
		obj = &corev1.Pod{}
	case contract.KindReplicaSet:
		obj = &appsv1.ReplicaSet{}
	case contract.KindReplicationController:
		obj = &corev1.ReplicationController{}
	default:
		return nil, fmt.Errorf("unknown kind %q", kind)
	}
	if len(text) == 0 {
		return nil, nil
	}
	return obj, json.Unmarshal(text, obj)
}
