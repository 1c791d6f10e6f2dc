package driver

import (
	"context"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/replicaset"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
)

// controller is one real controller with the driver's edges around it. It
// lives for the whole process; begin makes it forget the previous state.
type controller struct {
	gvk schema.GroupVersionKind
	// rsc is the object whose fields a sync reads; see boundReceiver.
	rsc          *replicaset.ReplicaSetController
	ctx          context.Context
	cluster      *cluster
	syncs        *edge.Syncs
	queue        edge.KeyQueue
	listener     edge.Listener
	expectations expectations
	sets         cache.Indexer
	pods         *orderedIndexer
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
		sets:    replicaSets.Indexer,
		pods:    pods,
	}
	c.rsc = edge.BoundReceiver(construct(Inputs{
		Context:                c.ctx,
		Client:                 clientset{cluster: c.cluster},
		Pods:                   podInformer,
		ReplicaSets:            replicaSets,
		ReplicationControllers: replicationControllers,
	}), "syncHandler").(*replicaset.ReplicaSetController)
	c.gvk = c.rsc.GroupVersionKind
	setInformer := replicaSets.Shared
	if c.gvk.Kind == contract.KindReplicationController {
		c.sets, setInformer = replicationControllers.Indexer, replicationControllers.Shared
	}
	c.expectations = newExpectations(c.rsc)
	c.syncs, c.queue = edge.NewSyncs(c.rsc, func() { processNextWorkItem(c.rsc, c.ctx) })
	c.listener = edge.NewListener(c.queue, map[string]edge.Shared{contract.KindPod: podInformer.Shared, c.gvk.Kind: setInformer})
	return c
}

// fill replaces what the informers' caches hold.
func (c *controller) fill(sets, pods []any) error {
	if err := c.sets.Replace(sets, contract.ReadVersion); err != nil {
		return err
	}
	return c.pods.Replace(pods, contract.ReadVersion)
}

// setWrites makes the resource versions that this controller wrote for the key
// those of the request, or none.
func (c *controller) setWrites(s *state) {
	edge.SetWrites(c.rsc, types.NamespacedName{Namespace: s.namespace, Name: s.name}, s.Behind)
}

// cached returns the set that the informer's cache holds under key, or nil.
func (c *controller) cached(key string) runtime.Object {
	item, exists, err := c.sets.GetByKey(key)
	if err != nil || !exists {
		return nil
	}
	return item.(runtime.Object)
}
