package statefulset

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	events "github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/statefulset/contract"
)

// Controller is the real controller with the driver's edges around it. It
// lives for the whole process.
type Controller struct {
	real     *statefulset.StatefulSetController
	caches   caches
	cluster  *cluster
	recorder *recorder
	syncs    *edge.Syncs
	queue    edge.KeyQueue
	listener edge.Listener
}

// caches are those of the controller's informers.
type caches struct {
	pods      edge.Informer[corelisters.PodLister]
	sets      edge.Informer[appslisters.StatefulSetLister]
	claims    edge.Informer[corelisters.PersistentVolumeClaimLister]
	revisions edge.Informer[appslisters.ControllerRevisionLister]
}

// New must be called inside the bubble. It is nil without a constructor.
func New(construct Construct) *Controller {
	if construct == nil {
		return nil
	}
	// Retries wait for some milliseconds, which would move the bubble's clock.
	retry.DefaultRetry.Duration, retry.DefaultBackoff.Duration = 0, 0
	c := &Controller{cluster: &cluster{}, recorder: &recorder{}, caches: caches{
		edge.NewInformer(&corev1.Pod{}, edge.Plain, corelisters.NewPodLister),
		edge.NewInformer(&appsv1.StatefulSet{}, edge.Plain, appslisters.NewStatefulSetLister),
		edge.NewInformer(&corev1.PersistentVolumeClaim{}, edge.Plain, corelisters.NewPersistentVolumeClaimLister),
		edge.NewInformer(&appsv1.ControllerRevision{}, edge.Plain, appslisters.NewControllerRevisionLister),
	}}
	ctx := logr.NewContext(context.Background(), logr.Discard())
	c.real = construct(ctx, c.caches.pods, c.caches.sets, c.caches.claims, c.caches.revisions, clientset{cluster: c.cluster})
	c.syncs, c.queue = edge.NewDirect(c.real, func(key string) error { return syncSet(c.real, ctx, key) })
	podControl := edge.Field(c.control(), "podControl").Interface()
	edge.Field(podControl, "recorder").Set(reflect.ValueOf(c.recorder))
	c.listener = edge.NewListener(c.queue, map[string]edge.Shared{
		events.KindStatefulSet: c.caches.sets.Shared, events.KindPod: c.caches.pods.Shared,
	})
	return c
}

// control is upstream's defaultStatefulSetControl.
func (c *Controller) control() any { return edge.Field(c.real, "control").Interface() }

// Answer does one sync.
func (c *Controller) Answer(line []byte) (any, error) {
	if c == nil {
		return nil, errors.New("the oracle of this version has no StatefulSets")
	}
	req := &contract.Request{}
	if err := json.Unmarshal(line, req); err != nil {
		return nil, err
	}
	fs, err := newFaults(req.Faults)
	if err := errors.Join(err, c.fill(req), c.remember(req)); err != nil {
		return nil, err
	}
	c.cluster.begin(req, fs)
	syncError := c.syncs.Once(req.Key)
	asked := c.queue.Recorded()
	return &contract.Response{
		ID: req.ID, Writes: append([]contract.Write{}, c.cluster.writes...), Events: c.recorder.take(),
		RequeueAfter: asked.AfterText(), RateLimited: asked.RateLimited, Forgotten: asked.Forgotten, SyncError: syncError,
	}, c.cluster.broken
}

// remember makes what the controller has in memory that of the request: what it
// wrote, and nothing of revisions that equal the template (1.34 and later).
func (c *Controller) remember(req *contract.Request) error {
	if edge.HasField(c.control(), "revisionEqualityCache") {
		edge.Field(c.control(), "revisionEqualityCache").Interface().(interface{ Clear() }).Clear()
	}
	namespace, name, err := cache.SplitMetaNamespaceKey(req.Key)
	edge.SetWrites(c.real, types.NamespacedName{Namespace: namespace, Name: name}, req.Behind)
	return err
}

// Events lets the real event handlers see events, from empty caches on.
func (c *Controller) Events(all []events.Event) ([]events.EventRun, error) {
	if c == nil {
		return nil, errors.New("the oracle of this version has no StatefulSets")
	}
	if err := c.fill(&contract.Request{}); err != nil {
		return nil, err
	}
	return c.listener.Play(all, func() map[string]*events.Expectations { return nil })
}

// fill replaces what the caches hold.
func (c *Controller) fill(req *contract.Request) error {
	return errors.Join(
		c.caches.sets.Indexer.Replace(edge.Items(req.StatefulSets), events.ReadVersion),
		c.caches.pods.Indexer.Replace(edge.Items(req.Pods), events.ReadVersion),
		c.caches.claims.Indexer.Replace(edge.Items(req.Claims), events.ReadVersion),
		c.caches.revisions.Indexer.Replace(edge.Items(req.Revisions), events.ReadVersion),
	)
}
