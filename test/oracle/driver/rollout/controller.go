package rollout

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"

	events "github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/rollout/contract"
)

// Controller is the real controller with the driver's edges around it. It
// lives for the whole process.
type Controller struct {
	caches   caches
	cluster  *cluster
	syncs    *edge.Syncs
	queue    edge.KeyQueue
	listener edge.Listener
}

// caches are those of the controller's informers.
type caches struct {
	deployments edge.Informer[appslisters.DeploymentLister]
	replicaSets edge.Informer[appslisters.ReplicaSetLister]
	pods        edge.Informer[corelisters.PodLister]
}

// New must be called inside the bubble.
func New(construct Construct) *Controller {
	c := &Controller{caches: caches{
		edge.NewInformer(&appsv1.Deployment{}, edge.Plain, appslisters.NewDeploymentLister),
		edge.NewInformer(&appsv1.ReplicaSet{}, edge.Plain, appslisters.NewReplicaSetLister),
		edge.NewInformer(&corev1.Pod{}, edge.Plain, corelisters.NewPodLister),
	}}
	c.cluster = &cluster{caches: c.caches}
	ctx := logr.NewContext(context.Background(), logr.Discard())
	dc, err := construct(ctx, c.caches.deployments, c.caches.replicaSets, c.caches.pods, clientset{cluster: c.cluster})
	if err != nil {
		panic(err)
	}
	c.syncs, c.queue = edge.NewSyncs(dc, func() { processNextWorkItem(dc, ctx) })
	c.listener = edge.NewListener(c.queue, map[string]edge.Shared{
		events.KindDeployment: c.caches.deployments.Shared, events.KindReplicaSet: c.caches.replicaSets.Shared, events.KindPod: c.caches.pods.Shared,
	})
	return c
}

// Answer does one sync.
func (c *Controller) Answer(line []byte) (any, error) {
	req := &contract.Request{}
	if err := json.Unmarshal(line, req); err != nil {
		return nil, err
	}
	if err := errors.Join(faults(req.Faults).validate(), c.fill(req)); err != nil {
		return nil, err
	}
	c.cluster.begin(req)
	syncError := c.syncs.Once(req.Key)
	asked := c.queue.Recorded()
	return &contract.Response{
		ID: req.ID, Writes: append([]contract.Write{}, c.cluster.writes...), RequeueAfter: asked.AfterText(),
		RateLimited: asked.RateLimited, Forgotten: asked.Forgotten, SyncError: syncError,
	}, c.cluster.broken
}

// Events lets the real event handlers see events, from empty caches on.
func (c *Controller) Events(all []events.Event) ([]events.EventRun, error) {
	if err := c.fill(&contract.Request{}); err != nil {
		return nil, err
	}
	return c.listener.Play(all, func() map[string]*events.Expectations { return nil })
}

// fill replaces what the caches hold.
func (c *Controller) fill(req *contract.Request) error {
	return errors.Join(
		c.caches.deployments.Indexer.Replace(edge.Items(req.Deployments), ""),
		c.caches.replicaSets.Indexer.Replace(edge.Items(req.ReplicaSets), ""),
		c.caches.pods.Indexer.Replace(edge.Items(req.Pods), ""),
	)
}
