package driver

import (
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
)

func newReplicaSetInformer() edge.Informer[appslisters.ReplicaSetLister] {
	return edge.NewInformer(&appsv1.ReplicaSet{}, edge.Plain, appslisters.NewReplicaSetLister)
}

func newReplicationControllerInformer() edge.Informer[corelisters.ReplicationControllerLister] {
	return edge.NewInformer(&corev1.ReplicationController{}, edge.Plain, corelisters.NewReplicationControllerLister)
}

func newPodInformer() (edge.Informer[corelisters.PodLister], *orderedIndexer) {
	ordered := &orderedIndexer{}
	wrap := func(i cache.Indexer) cache.Indexer { ordered.Indexer = i; return ordered }
	return edge.NewInformer(&corev1.Pod{}, wrap, corelisters.NewPodLister), ordered
}

// orderedIndexer returns every list in a chosen order. Upstream iterates Go
// maps here (client-go tools/cache/thread_safe_store.go ByIndex, Index), so
// any order is one the real cache can produce.
type orderedIndexer struct {
	cache.Indexer
	position map[any]int
}

func (o *orderedIndexer) List() []any { return o.ordered(o.Indexer.List()) }

func (o *orderedIndexer) Index(index string, obj any) ([]any, error) {
	items, err := o.Indexer.Index(index, obj)
	return o.ordered(items), err
}

func (o *orderedIndexer) ByIndex(index, value string) ([]any, error) {
	items, err := o.Indexer.ByIndex(index, value)
	return o.ordered(items), err
}

func (o *orderedIndexer) ordered(items []any) []any {
	sort.Slice(items, func(i, j int) bool { return o.position[items[i]] < o.position[items[j]] })
	return items
}
