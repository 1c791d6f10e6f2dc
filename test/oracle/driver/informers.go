package driver

import (
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// informer is a real shared informer that is never started; its cache is
// filled from the request. The type parameter is only there so that one type
// serves the three informer interfaces a controller asks for.
type informer[L any] struct {
	shared  sharedInformer
	indexer cache.Indexer
	lister  L
}

func (i informer[L]) Informer() cache.SharedIndexInformer { return i.shared }
func (i informer[L]) Lister() L                           { return i.lister }

// sharedInformer hands out the driver's indexer in place of its own.
type sharedInformer struct {
	cache.SharedIndexInformer
	indexer cache.Indexer
}

func (s sharedInformer) GetIndexer() cache.Indexer { return s.indexer }
func (s sharedInformer) GetStore() cache.Store     { return s.indexer }

func newInformer[L any](example runtime.Object, wrap func(cache.Indexer) cache.Indexer, lister func(cache.Indexer) L) informer[L] {
	real := cache.NewSharedIndexInformer(&cache.ListWatch{}, example, 0,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	indexer := wrap(real.GetIndexer())
	return informer[L]{shared: sharedInformer{real, indexer}, indexer: indexer, lister: lister(indexer)}
}

func unordered(i cache.Indexer) cache.Indexer { return i }

func newReplicaSetInformer() informer[appslisters.ReplicaSetLister] {
	return newInformer(&appsv1.ReplicaSet{}, unordered, appslisters.NewReplicaSetLister)
}

func newReplicationControllerInformer() informer[corelisters.ReplicationControllerLister] {
	return newInformer(&corev1.ReplicationController{}, unordered, corelisters.NewReplicationControllerLister)
}

func newPodInformer() (informer[corelisters.PodLister], *orderedIndexer) {
	ordered := &orderedIndexer{}
	wrap := func(i cache.Indexer) cache.Indexer { ordered.Indexer = i; return ordered }
	return newInformer(&corev1.Pod{}, wrap, corelisters.NewPodLister), ordered
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
