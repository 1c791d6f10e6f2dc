package driver

import (
	"context"
	"fmt"
	"reflect"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/replicaset"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// controller is one real controller with the driver's edges around it. It
// lives for the whole process; begin makes it forget the previous state.
type controller struct {
	gvk schema.GroupVersionKind
	// rsc is the object whose fields a sync reads; see boundReceiver.
	rsc          *replicaset.ReplicaSetController
	ctx          context.Context
	cluster      *cluster
	queue        keyQueue
	expectations expectations
	sets         cache.Indexer
	pods         *orderedIndexer
	// handlers are what the controller told its informers to call, by kind.
	handlers map[string]handler
	// syncErr is what the last sync returned to processNextWorkItem.
	syncErr error
}

// newControllers builds both controllers. It must run inside the bubble: the
// queues and event broadcasters that upstream makes own goroutines.
func newControllers(up Upstream) map[string]*controller {
	return map[string]*controller{
		contract.KindReplicaSet:            newController(up.NewReplicaSetController),
		contract.KindReplicationController: newController(up.newReplicationManager),
	}
}

// newReplicationManager returns the controller inside the manager.
func (up Upstream) newReplicationManager(in Inputs) *replicaset.ReplicaSetController {
	return &up.NewReplicationManager(in).ReplicaSetController
}

func newController(construct func(Inputs) *replicaset.ReplicaSetController) *controller {
	podInformer, pods := newPodInformer()
	replicaSets, replicationControllers := newReplicaSetInformer(), newReplicationControllerInformer()
	c := &controller{
		ctx:     logr.NewContext(context.Background(), logr.Discard()),
		cluster: &cluster{barrier: newBarrier()},
		sets:    replicaSets.indexer,
		pods:    pods,
	}
	c.rsc = boundReceiver(construct(Inputs{
		Context:                c.ctx,
		Client:                 clientset{cluster: c.cluster},
		Pods:                   podInformer,
		ReplicaSets:            replicaSets,
		ReplicationControllers: replicationControllers,
	}), "syncHandler").(*replicaset.ReplicaSetController)
	c.gvk = c.rsc.GroupVersionKind
	setInformer := replicaSets.shared
	if c.gvk.Kind == contract.KindReplicationController {
		c.sets, setInformer = replicationControllers.indexer, replicationControllers.shared
	}
	c.handlers = map[string]handler{"Pod": handlerOf(podInformer.shared), c.gvk.Kind: handlerOf(setInformer)}
	c.expectations = newExpectations(c.rsc)
	c.replaceQueue()
	c.watchSyncHandler()
	return c
}

// replaceQueue puts a recording queue in place of the real one, whose
// goroutines stay parked: time never moves in the bubble.
func (c *controller) replaceQueue() {
	f := field(c.rsc, "queue")
	for _, q := range []keyQueue{&recordingQueue[string]{}, &recordingQueue[any]{}} {
		if reflect.TypeOf(q).Implements(f.Type()) {
			f.Set(reflect.ValueOf(q))
			c.queue = q
			return
		}
	}
	panic(fmt.Sprintf("no recording queue implements %s: adapt the driver to this version", f.Type()))
}

// watchSyncHandler keeps the sync's error, which processNextWorkItem only logs.
func (c *controller) watchSyncHandler() {
	handler := field(c.rsc, "syncHandler").Addr().Interface().(*func(context.Context, string) error)
	upstream := *handler
	*handler = func(ctx context.Context, key string) error {
		c.syncErr = upstream(ctx, key)
		return c.syncErr
	}
}

// fill replaces what the informers' caches hold.
func (c *controller) fill(sets, pods []any) error {
	if err := c.sets.Replace(sets, contract.ReadVersion); err != nil {
		return err
	}
	return c.pods.Replace(pods, contract.ReadVersion)
}

// setWrites makes the resource versions that this controller wrote for the key
// those of the request, or none (1.36 and later):
// pkg/controller/util/consistency RealConsistencyStore.
func (c *controller) setWrites(s *state) {
	if !hasField(c.rsc, "consistencyStore") {
		return
	}
	store := field(c.rsc, "consistencyStore").Interface().(interface {
		Clear(types.NamespacedName, types.UID)
		WroteAt(types.NamespacedName, types.UID, schema.GroupResource, string)
	})
	owner := types.NamespacedName{Namespace: s.namespace, Name: s.name}
	store.Clear(owner, "")
	for _, resource := range s.Behind {
		store.WroteAt(owner, "uid", schema.ParseGroupResource(resource), contract.WroteVersion)
	}
}

// syncOnce takes key through the real processNextWorkItem and returns the
// sync's error text.
func (c *controller) syncOnce(key string) (syncError string) {
	defer func() {
		if r := recover(); r != nil {
			syncError = fmt.Sprintf("panic: %v", r)
		}
	}()
	c.syncErr = nil
	c.queue.offer(key)
	processNextWorkItem(c.rsc, c.ctx)
	if c.syncErr != nil {
		return c.syncErr.Error()
	}
	return ""
}

// cached returns the set that the informer's cache holds under key, or nil.
func (c *controller) cached(key string) runtime.Object {
	item, exists, err := c.sets.GetByKey(key)
	if err != nil || !exists {
		return nil
	}
	return item.(runtime.Object)
}
