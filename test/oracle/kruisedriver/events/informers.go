package events

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
)

// informers are the manager's cache: informers that keep who wants to hear of
// their kind, and the CloneSets, which is all that handlers look up.
type informers struct {
	cache.Cache
	mu     sync.Mutex
	byType map[reflect.Type]*informer
	sets   map[client.ObjectKey]*appsv1alpha1.CloneSet
}

func newInformers() *informers { return &informers{byType: map[reflect.Type]*informer{}} }

// informer is that of one kind.
type informer struct {
	cache.Informer
	handlers []toolscache.ResourceEventHandler
}

func (i *informer) AddEventHandler(h toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, h)
	return nil, nil
}

func (c *informers) GetInformer(_ context.Context, obj client.Object, _ ...cache.InformerGetOption) (cache.Informer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := reflect.TypeOf(obj)
	if c.byType[kind] == nil {
		c.byType[kind] = &informer{}
	}
	return c.byType[kind], nil
}

func (c *informers) WaitForCacheSync(context.Context) bool { return true }

// Get finds a CloneSet.
func (c *informers) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	into, ok := obj.(*appsv1alpha1.CloneSet)
	if !ok {
		return fmt.Errorf("a handler looks up %T: adapt the driver to this version", obj)
	}
	set, found := c.sets[key]
	if !found {
		return apierrors.NewNotFound(schema.GroupResource{Group: appsv1alpha1.GroupVersion.Group, Resource: "clonesets"}, key.Name)
	}
	set.DeepCopyInto(into)
	return nil
}

// List lists the CloneSets of a namespace, in any order.
func (c *informers) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	into, ok := list.(*appsv1alpha1.CloneSetList)
	if !ok {
		return fmt.Errorf("a handler lists %T: adapt the driver to this version", list)
	}
	var o client.ListOptions
	o.ApplyOptions(opts)
	for key, set := range c.sets {
		if key.Namespace == o.Namespace {
			into.Items = append(into.Items, *set.DeepCopy())
		}
	}
	return nil
}

// fill replaces the CloneSets.
func (c *informers) fill(sets []appsv1alpha1.CloneSet) {
	c.sets = map[client.ObjectKey]*appsv1alpha1.CloneSet{}
	for i := range sets {
		c.sets[client.ObjectKeyFromObject(&sets[i])] = &sets[i]
	}
}

// deliver does what an informer does with an event: it takes it into the cache
// and tells those who registered.
func (c *informers) deliver(ev Event) error {
	was, err := ev.object(ev.Old)
	if err != nil {
		return err
	}
	is, err := ev.object(ev.New)
	if err != nil {
		return err
	}
	c.keep(ev, was, is)
	i := c.byType[reflect.TypeOf(is)]
	if i == nil || len(i.handlers) == 0 {
		return fmt.Errorf("the controller does not watch %s", ev.Kind)
	}
	for _, h := range i.handlers {
		switch ev.Type {
		case "added":
			h.OnAdd(is, false)
		case "updated":
			h.OnUpdate(was, is)
		case "deleted":
			h.OnDelete(was)
		case "missed":
			h.OnDelete(toolscache.DeletedFinalStateUnknown{Key: client.ObjectKeyFromObject(was).String(), Obj: was})
		default:
			return fmt.Errorf("%q is no type of event", ev.Type)
		}
	}
	return nil
}

func (c *informers) keep(ev Event, was, is client.Object) {
	set, ok := is.(*appsv1alpha1.CloneSet)
	if !ok {
		return
	}
	if ev.Type == "deleted" || ev.Type == "missed" {
		delete(c.sets, client.ObjectKeyFromObject(was))
		return
	}
	c.sets[client.ObjectKeyFromObject(set)] = set
}

// object decodes one of the event's objects, empty when there is no text.
func (ev Event) object(text json.RawMessage) (client.Object, error) {
	var obj client.Object
	switch ev.Kind {
	case "Pod":
		obj = &corev1.Pod{}
	case "PersistentVolumeClaim":
		obj = &corev1.PersistentVolumeClaim{}
	case "CloneSet":
		obj = &appsv1alpha1.CloneSet{}
	default:
		return nil, fmt.Errorf("%q is no kind of event", ev.Kind)
	}
	if len(text) == 0 {
		return obj, nil
	}
	return obj, json.Unmarshal(text, obj)
}
